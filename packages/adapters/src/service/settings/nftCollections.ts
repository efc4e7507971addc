import { EvmChainId } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { Config, Effect, Option, Schema } from "effect"
import type { NftCollection } from "../../tokens/nfts/index.ts"
import { SettingInvalid } from "./SettingInvalid.ts"

const isChainId = Schema.is(EvmChainId)
const isAddress = Schema.is(Address)

const collectionOrNull = (text: string): NftCollection | null => {
  const [chain = "", address = "", ...ids] = text.trim().toLowerCase().split(":")
  const chainId = Number(chain)
  if (!isChainId(chainId) || !isAddress(address) || !ids.every((id) => /^\d{1,78}$/u.test(id))) return null
  return { chainId, contract: address, ids: ids.length === 0 ? null : ids.map(BigInt) }
}

/** Collections of NFTs: a chain and an address each, and of ERC-1155 the ids. */
export const nftCollections = Effect.fnUntraced(function* (name: string) {
  const text = yield* Config.option(Config.String(name))
  if (Option.isNone(text)) return []
  const collections = text.value.split(",").map(collectionOrNull)
  return collections.every((collection) => collection !== null)
    ? collections
    : yield* new SettingInvalid({
        name,
        expected:
          "a list such as 8453:0x03a520b32c04bf3beef7beb72e919cf822ed34f1,1:0xd07dc4262bcdbf85190c01c996b4c06a461d2430:17:18"
      })
})
