import { isEvmChainId } from "@countersign/core/foundation/chains"
import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import type { Address } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import type { Call } from "@countersign/core/operations/user-operations"
import { type Admission, HolderRules } from "@countersign/core/trading/swap"
import { Effect, Layer } from "effect"
import { decodeFunctionResult, type Hex, parseAbi } from "viem"
import { addressFromHex, encoderOf, RpcClients } from "../../chains/evm/index.ts"
import { multicall } from "../../exchanges/pools/index.ts"

/** Functions of Ondo's `AllowlistClient` and `Allowlist` (ondoprotocol/usdy, contracts/usdy/allowlist). */
const allowListAbi = parseAbi([
  "function allowlist() view returns (address)",
  "function isAllowed(address account) view returns (bool)",
  "function getValidTermIndexes() view returns (uint256[])",
  "function addSelfToAllowlist(uint256 termIndex)"
])
const dataOf = encoderOf(allowListAbi)

const ADDRESS_WORD = /^0x0{24}(?!0{40})[0-9a-f]{40}$/u
const isTrueWord = (data: Hex | null | undefined) => data != null && /^0x0{63}1$/u.test(data)

const termsOf = (data: Hex | null | undefined): ReadonlyArray<bigint> => {
  if (data == null) return []
  try {
    return decodeFunctionResult({ abi: allowListAbi, functionName: "getValidTermIndexes", data })
  } catch {
    // The contract may return invalid data.
    return []
  }
}

const joinCall = (list: Address, { symbol }: Token, term: bigint): Call => ({
  to: list,
  value: 0n,
  data: dataOf("addSelfToAllowlist", [term]),
  summary: `Join the allow-list of ${symbol}, and so accept term ${term} of its issuer`
})

/**
 * Reads the allowlists that tokens return from `allowlist()`. If a token has none, everyone may hold it, as far as is
 * known before a transfer is simulated.
 */
export const layer = Layer.effect(
  HolderRules,
  Effect.gen(function* () {
    const rpc = yield* RpcClients

    return HolderRules.of({
      admission: Effect.fn("AllowListHolderRules.admission")(function* (token, account): Effect.fn.Return<
        Admission,
        UpstreamUnavailable
      > {
        const { address, chainId } = token
        if (!isEvmChainId(chainId)) return { _tag: "Admitted" }
        const readContract = (target: Address, ...calls: ReadonlyArray<Hex>) =>
          Effect.map(
            rpc.call(chainId, (client) =>
              multicall(
                client,
                chainId,
                calls.map((callData) => ({ target, callData })),
                null
              )
            ),
            ({ results }) => results
          )
        const [listWord] = yield* readContract(address, dataOf("allowlist", []))
        if (listWord == null || !ADDRESS_WORD.test(listWord)) return { _tag: "Admitted" }
        const list = addressFromHex(`0x${listWord.slice(26)}`)
        const [isAllowed, validTerms] = yield* readContract(
          list,
          dataOf("isAllowed", [account]),
          dataOf("getValidTermIndexes", [])
        )
        if (isTrueWord(isAllowed)) return { _tag: "Admitted" }
        const term = termsOf(validTerms).at(-1)
        return term === undefined
          ? {
              _tag: "Refused",
              reason: `the token's issuer must add the wallet to the allowlist ${list}. The wallet can't add itself.`
            }
          : { _tag: "Joins", calls: [joinCall(list, token, term)] }
      })
    })
  })
)
