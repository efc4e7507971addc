import type { ChainId } from "@countersign/core/foundation/chains"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { chosenAddress } from "./token.ts"

/** Who pays the gas. `otherwise` is the token that does where none is named. */
export const gasFlags = (otherwise: string) => ({
  gasToken: Flag.String("gas-token").pipe(
    Flag.withDescription(`Token that pays the gas: symbol, address or native; by default ${otherwise}`),
    Flag.optional
  ),
  deduct: Flag.Boolean("deduct").pipe(
    Flag.withDescription("Deduct the gas fee from the amount instead of adding it"),
    Flag.withDefault(false)
  )
})

/** The fields of a request that say who pays its gas. */
export const gasFields = (
  input: { readonly chain: ChainId; readonly gasToken: Option.Option<string>; readonly deduct: boolean },
  otherwise: string
) =>
  Effect.map(
    Option.isNone(input.gasToken) ? Effect.succeed(otherwise) : chosenAddress(input.chain, input.gasToken.value),
    (payGasFeeToken) => ({
      gasFeePaymentMethod: input.deduct ? ("DEDUCT_FROM_AMOUNT" as const) : ("ADD_TO_AMOUNT" as const),
      payGasFeeToken
    })
  )
