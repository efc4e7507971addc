import type { ChainId } from "@countersign/core/foundation/chains"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { resolveTokenAddress } from "./token.ts"

/** Flags for the gas payment. `defaultTokenText` describes the default token. */
export const gasFlags = (defaultTokenText: string) => ({
  gasToken: Flag.String("gas-token").pipe(
    Flag.withDescription(`Token that pays the gas: symbol, address or native; by default ${defaultTokenText}`),
    Flag.optional
  ),
  deduct: Flag.Boolean("deduct").pipe(
    Flag.withDescription("Deduct the gas fee from the amount instead of adding it"),
    Flag.withDefault(false)
  )
})

/** Builds the gas payment fields of a request from the flags. */
export const gasFields = (
  input: { readonly chain: ChainId; readonly gasToken: Option.Option<string>; readonly deduct: boolean },
  defaultToken: string
) =>
  Effect.map(
    Option.isNone(input.gasToken)
      ? Effect.succeed(defaultToken)
      : resolveTokenAddress(input.chain, input.gasToken.value),
    (payGasFeeToken) => ({
      gasFeePaymentMethod: input.deduct ? ("DEDUCT_FROM_AMOUNT" as const) : ("ADD_TO_AMOUNT" as const),
      payGasFeeToken
    })
  )
