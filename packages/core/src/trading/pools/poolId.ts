import { Effect, Schema } from "effect"
import { ChainId } from "../../foundation/chains/index.ts"
import { BadRequest, fieldProblems } from "../../foundation/errors/index.ts"
import { AddressText } from "../../foundation/primitives/index.ts"

const EXPECTED = "Expected a pool id: the chain id, a hyphen and the pool's address, such as 1-0x88e6…5640."

const PARTS = /^(\d{1,9})-(0x[0-9a-fA-F]{40})$/u

const isChainId = Schema.is(ChainId)
const decodeAddress = Schema.decodeUnknownEffect(AddressText)

/** Parses `<chain id>-<address>`. Does not check whether the chain has Uniswap V3. */
export const poolAddressOfId = Effect.fnUntraced(function* (id: string) {
  const [, chain = "", text = ""] = PARTS.exec(id) ?? []
  if (text === "") return yield* BadRequest.of("id", "invalid", EXPECTED)
  const chainId = Number(chain)
  if (!isChainId(chainId)) {
    const chainIdList = ChainId.literals.join(", ")
    return yield* BadRequest.of(
      "id",
      "unknown_chain",
      `Chain ${chain} is not supported. Expected one of ${chainIdList}.`
    )
  }
  const address = yield* Effect.mapError(decodeAddress(text), ({ issue }) =>
    BadRequest.of("id", "invalid", fieldProblems(issue).problems[0].message)
  )
  return { chainId, address }
})

/** Returns the pool's id in the API. */
export const poolId = ({ address, chainId }: { readonly chainId: number; readonly address: string }): string =>
  `${chainId}-${address}`
