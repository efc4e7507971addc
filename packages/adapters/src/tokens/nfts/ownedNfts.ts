import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { MAX_NFTS_OF_COLLECTION } from "@countersign/core/wallets/nfts"
import { Array } from "effect"
import { type Abi, decodeFunctionResult, type Hex, type PublicClient } from "viem"
import { encoderOf, jsonRpcErrorIn, type ReadCall } from "../../chains/evm/index.ts"
import { multicall } from "../../exchanges/pools/index.ts"
import { erc721Abi, erc1155Abi } from "./abi.ts"
import type { NftCollection } from "./collections.ts"

/** An NFT before its metadata are read. */
export interface OwnedNft {
  readonly collection: NftCollection
  readonly name: string | null
  readonly symbol: string | null
  readonly tokenId: bigint
  readonly amount: bigint
  /** The contract's metadata URI; null if the contract returned no text. */
  readonly uri: string | null
}

const erc721Data = encoderOf(erc721Abi)
const erc1155Data = encoderOf(erc1155Abi)

/**
 * Maximum number of URIs per `eth_call`. Creating the image of a position takes a few million gas, and a node allows
 * some tens of millions of gas per `eth_call`.
 */
const URIS_PER_CALL = 4
/** Maximum length of a contract's text that is decoded, in hexadecimal digits. */
const TEXT_DIGITS_MAX = 2 * 512 * 1_024
const NAME_MAX = 100
const WORD_LENGTH = 66

const decodedOrNull = <A>(data: Hex | null | undefined, decode: (data: Hex) => A): A | null => {
  if (data == null || data.length > TEXT_DIGITS_MAX) return null
  try {
    return decode(data)
  } catch {
    // The contract may return invalid data.
    return null
  }
}

const textOf = (abi: Abi, functionName: string) => (data: Hex | null | undefined) =>
  decodedOrNull(data, (hex) => decodeFunctionResult({ abi, functionName, data: hex }) as string)
/** Decodes a 32-byte result as a number; null for results of another length. */
const wordOrNull = (data: Hex | null | undefined): bigint | null => (data?.length === WORD_LENGTH ? BigInt(data) : null)
const countOf = (data: Hex | null | undefined): bigint => wordOrNull(data) ?? 0n

const nameOf = textOf(erc721Abi, "name")
const uriOf721 = textOf(erc721Abi, "tokenURI")
const uriOf1155 = textOf(erc1155Abi, "uri")

const countCalls = ({ contract: target, ids }: NftCollection, owner: Address): ReadonlyArray<ReadCall> => [
  { target, callData: erc721Data("name", []) },
  { target, callData: erc721Data("symbol", []) },
  ...(ids === null
    ? [{ target, callData: erc721Data("balanceOf", [owner]) }]
    : ids.map((id) => ({ target, callData: erc1155Data("balanceOf", [owner, id]) })))
]

type CountedNft = Omit<OwnedNft, "uri" | "tokenId"> & { readonly tokenId: bigint | null; readonly index: bigint }

/**
 * Returns the NFTs of a collection, up to a maximum, before the token ids of ERC-721 NFTs are read. ERC-721 NFTs are
 * newest first; those of ERC-1155 are in the order of the settings.
 */
const countedNftsOf = (collection: NftCollection, responses: ReadonlyArray<Hex | null>): ReadonlyArray<CountedNft> => {
  const [name, symbol, ...counts] = responses
  const labels = {
    collection,
    name: nameOf(name)?.slice(0, NAME_MAX) ?? null,
    symbol: nameOf(symbol)?.slice(0, NAME_MAX) ?? null
  }
  const { ids } = collection
  if (ids !== null) {
    return ids.flatMap((tokenId, i) => {
      const amount = countOf(counts[i])
      return amount === 0n ? [] : [{ ...labels, tokenId, amount, index: 0n }]
    })
  }
  const count = countOf(counts[0])
  const listedCount = count < BigInt(MAX_NFTS_OF_COLLECTION) ? Number(count) : MAX_NFTS_OF_COLLECTION
  if (listedCount === 0) return []
  return Array.makeBy(listedCount, (i) => ({
    ...labels,
    tokenId: null,
    amount: 1n,
    index: count - 1n - BigInt(i)
  }))
}

/**
 * Reads the NFTs of an account in a collection. Each collection has its own `eth_call`s, because a contract can use up
 * the gas of a call.
 */
const readOwned = async (
  client: PublicClient,
  chainId: EvmChainId,
  collection: NftCollection,
  owner: Address
): Promise<ReadonlyArray<OwnedNft>> => {
  const readContracts = async (calls: ReadonlyArray<ReadCall>) =>
    calls.length === 0 ? [] : (await multicall(client, chainId, calls, null)).results
  const { contract: target, ids: itemIds } = collection
  const countedNfts = countedNftsOf(collection, await readContracts(countCalls(collection, owner)))
  const nftsWithoutId = countedNfts.filter(({ tokenId }) => tokenId === null)
  const ids = await readContracts(
    nftsWithoutId.map(({ index }) => ({ target, callData: erc721Data("tokenOfOwnerByIndex", [owner, index]) }))
  )
  const tokenIdByNft = new Map(nftsWithoutId.map((nft, i) => [nft, wordOrNull(ids[i])]))
  const nftsWithId = countedNfts.flatMap((nft) => {
    const tokenId = nft.tokenId ?? tokenIdByNft.get(nft) ?? null
    return tokenId === null ? [] : [{ ...nft, tokenId }]
  })
  const uriCalls = nftsWithId.map(({ tokenId }) => ({
    target,
    callData: itemIds === null ? erc721Data("tokenURI", [tokenId]) : erc1155Data("uri", [tokenId])
  }))
  const uris = (await Promise.all(Array.chunksOf(uriCalls, URIS_PER_CALL).map(readContracts))).flat()
  const uriOf = itemIds === null ? uriOf721 : uriOf1155
  return nftsWithId.map(({ index: _, ...nft }, i) => ({ ...nft, uri: uriOf(uris[i]) }))
}

/** Reads an account's NFTs in these collections of a chain. Omits an NFT that is transferred during the reads. */
export const readOwnedNfts = async (
  client: PublicClient,
  chainId: EvmChainId,
  collections: ReadonlyArray<NftCollection>,
  owner: Address
): Promise<ReadonlyArray<OwnedNft>> =>
  (
    await Promise.all(
      collections.map((collection) =>
        readOwned(client, chainId, collection, owner).catch((thrown) => {
          // A contract whose calls the node rejects is omitted, so that it does not affect other contracts.
          if (jsonRpcErrorIn(thrown) === null) throw thrown
          return []
        })
      )
    )
  ).flat()
