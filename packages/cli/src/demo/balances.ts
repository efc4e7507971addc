import { decimalFromBaseUnits } from "@countersign/core/primitives"
import { Effect, Schema } from "effect"
import { exchange } from "./client.ts"
import { DemoFailed } from "./DemoFailed.ts"

export interface HeldToken {
  readonly symbol: string
  readonly decimals: number
  /** Null for the chain's own coin. */
  readonly address: string | null
}

const RpcAnswer = Schema.Struct({ result: Schema.String })

/** The first four bytes of keccak256("balanceOf(address)"). */
const BALANCE_OF = "0x70a08231"

/** The balances of an account, read from the chain and not from the service. */
export const balances = (rpcUrl: string, holder: string, tokens: ReadonlyArray<HeldToken>) =>
  Effect.forEach(tokens, ({ address, decimals }) =>
    Effect.gen(function* () {
      const call = { to: address, data: BALANCE_OF + holder.slice(2).padStart(64, "0") }
      const [method, params] =
        address === null ? ["eth_getBalance", [holder, "latest"]] : ["eth_call", [call, "latest"]]
      const { answer } = yield* exchange("POST", rpcUrl, {}, { jsonrpc: "2.0", id: 1, method, params })
      const { result } = yield* Effect.mapError(
        Schema.decodeUnknownEffect(RpcAnswer)(answer),
        () => new DemoFailed({ reason: `The chain did not tell the balance: ${JSON.stringify(answer)}` })
      )
      return decimalFromBaseUnits(BigInt(result), decimals)
    })
  )
