import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, BoundedMap, type Hash32, maxBigInt, minBigInt } from "@countersign/core/foundation/primitives"
import type { UserOperation } from "@countersign/core/operations/user-operations"
import { Array } from "effect"
import { type Hex, numberToHex } from "viem"
import { headAgeMs, type RpcClients } from "../RpcClients.ts"
import type { LatestBlock } from "../rpc/latestBlocks.ts"
import type { LogResponse, NodeRequest } from "../rpc/nodeResponses.ts"
import { type RpcTime, systemTime } from "../rpc/RpcTime.ts"
import { findUsedNonces } from "./findUsedNonces.ts"
import { LOG_PIECE_BLOCKS, operationLogs } from "./operationLogs.ts"

/** An operation to search for, and the block from which to search. */
export interface SearchedOperation {
  readonly operation: UserOperation
  readonly hash: Hash32
  readonly fromBlock: bigint
}

/** Searches that start within this time after the first one share its request, in milliseconds. */
const BATCH_WINDOW_MS = 3
/** Maximum number of hashes in one log filter. Geth accepts a thousand. */
const HASHES_MAX = 250
/**
 * Time after the first search for an operation, in milliseconds, in which every search sends a request. Afterwards only
 * a new head, or the end of `EMPTY_RESULT_CACHE_MS`, leads to another request.
 */
const ALWAYS_SEARCHED_MS = 1_000
/** How long an empty result at a head is reused. A node may report a head before it has the events of that block. */
const EMPTY_RESULT_CACHE_MS = 15_000
/**
 * Maximum age in milliseconds of the head from which a search up to the latest block computes the length of its range.
 * A running service usually has read such a head, so the search sends no request for it.
 */
export const RANGE_HEAD_AGE_MS = 120_000
/** Number of blocks to search for an operation without a valid first block. */
const DEFAULT_SEARCH_BLOCKS = 1_000n
/** Maximum number of operations whose last search is remembered. For any other operation, one more search is needed. */
const REMEMBERED_MAX = 50_000

/** A node's report about an operation. If the event and the nonce contradict each other, there is no conclusion yet. */
export interface SearchResult {
  /** The EntryPoint's event; null if the node does not have it. */
  readonly event: LogResponse | null
  /** Whether the EntryPoint reports the operation's nonce as used. */
  readonly isNonceUsed: boolean
}

const ABSENT: SearchResult = { event: null, isNonceUsed: false }

/** The last search for an operation. */
interface PreviousSearch {
  readonly firstMs: number
  readonly lastMs: number
  /**
   * The head at the time of that search. Null if the head was not requested, or if the search found the event or a used
   * nonce.
   */
  readonly head: LatestBlock | null
}

/** The last block of a search. */
interface SearchEnd {
  readonly toBlock: Hex | "latest"
  /** The block `toBlock`; null if that is "latest". */
  readonly head: LatestBlock | null
  /** Number of a recent block, from which the length of a range is computed. */
  readonly headNumber: bigint
}

interface PendingSearch extends SearchedOperation {
  readonly previousSearch: PreviousSearch | undefined
  /** The first block of the last piece that an earlier search of many blocks requested. Undefined if there is none. */
  readonly continueAt: bigint | undefined
  readonly resolve: (result: SearchResult) => void
  readonly reject: (thrown: unknown) => void
}

const groupByEntryPoint = (
  lookUps: ReadonlyArray<PendingSearch>
): ReadonlyArray<readonly [Address, ReadonlyArray<PendingSearch>]> => [
  ...Map.groupBy(lookUps, ({ operation }) => operation.entryPoint)
]

/**
 * Returns the first block to search: the operation's own first block, or the block that an earlier search reached minus
 * the maximum depth of a reorg if that is later.
 */
const startOf = ({ continueAt, fromBlock, operation, previousSearch }: PendingSearch): bigint => {
  const lastBlock = continueAt ?? previousSearch?.head?.number
  if (lastBlock === undefined) return fromBlock
  const earliestBlock = lastBlock - BigInt(chainOf(operation.chainId).finalityBlocks)
  return earliestBlock > fromBlock ? earliestBlock : fromBlock
}

/** If the first block is above the head, searches the latest `DEFAULT_SEARCH_BLOCKS` blocks instead. */
const startAtExistingBlock = (lookUp: PendingSearch, head: LatestBlock): PendingSearch =>
  lookUp.fromBlock <= head.number
    ? lookUp
    : {
        ...lookUp,
        fromBlock: maxBigInt(0n, head.number - DEFAULT_SEARCH_BLOCKS),
        continueAt: undefined,
        previousSearch: lookUp.previousSearch && { ...lookUp.previousSearch, head: null }
      }

/**
 * Searches for the operations of one chain by the EntryPoint's events and their nonces. Concurrent searches share
 * requests. After the first second, an operation that was not found is searched again only at another head or after
 * `EMPTY_RESULT_CACHE_MS`, and only in the latest blocks. So the cost grows with the chain's blocks and not with the
 * number of pending operations.
 */
class ChainSearch {
  readonly #rpc: RpcClients["Service"]
  readonly #chainId: EvmChainId
  readonly #time: RpcTime
  #waiting: Array<PendingSearch> = []
  readonly #previousSearches = new BoundedMap<Hash32, PreviousSearch>(REMEMBERED_MAX)
  /** `continueAt` by operation hash. The time limit of an execution's step may end a search before its last piece. */
  readonly #continueAt = new BoundedMap<string, bigint>(REMEMBERED_MAX)
  /** Events that another node has returned. */
  readonly #recordedEvents = new Map<Hash32, LogResponse>()
  readonly #request: NodeRequest = (method, params) => this.#rpc.request(this.#chainId, method, params)

  constructor(rpc: RpcClients["Service"], chainId: EvmChainId, time: RpcTime) {
    this.#rpc = rpc
    this.#chainId = chainId
    this.#time = time
  }

  recordEvent(hash: Hash32, event: LogResponse): void {
    this.#recordedEvents.set(hash, event)
  }

  find(searchedOperation: SearchedOperation): Promise<SearchResult> {
    const event = this.#recordedEvents.get(searchedOperation.hash)
    this.#recordedEvents.delete(searchedOperation.hash)
    if (event !== undefined) return Promise.resolve({ event, isNonceUsed: true })
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) void this.#time.sleep(BATCH_WINDOW_MS).then(() => this.#flush())
      this.#waiting.push({
        ...searchedOperation,
        previousSearch: this.#previousSearches.get(searchedOperation.hash),
        continueAt: this.#continueAt.get(searchedOperation.hash),
        resolve,
        reject
      })
    })
  }

  #flush(): void {
    const lookUps = this.#waiting
    this.#waiting = []
    const now = this.#time.now()
    const isRecent = ({ previousSearch }: PendingSearch) =>
      previousSearch === undefined || now - previousSearch.firstMs < ALWAYS_SEARCHED_MS
    void this.#searchUpToLatest(lookUps.filter(isRecent))
    void this.#searchAtHead(lookUps.filter((lookUp) => !isRecent(lookUp)))
  }

  async #searchUpToLatest(lookUps: ReadonlyArray<PendingSearch>): Promise<void> {
    if (lookUps.length === 0) return
    try {
      const { number } = await this.#rpc.latestBlock(this.#chainId, RANGE_HEAD_AGE_MS)
      await this.#search(lookUps, { toBlock: "latest", head: null, headNumber: number })
    } catch (thrown) {
      for (const { reject } of lookUps) reject(thrown)
    }
  }

  async #searchAtHead(lookUps: ReadonlyArray<PendingSearch>): Promise<void> {
    if (lookUps.length === 0) return
    try {
      const head = await this.#rpc.latestBlock(this.#chainId, headAgeMs(this.#chainId))
      const now = this.#time.now()
      const hasCachedResult = ({ previousSearch }: PendingSearch) =>
        previousSearch?.head?.hash === head.hash && now - previousSearch.lastMs < EMPTY_RESULT_CACHE_MS
      for (const { resolve } of lookUps.filter(hasCachedResult)) resolve(ABSENT)
      const remainingLookUps = lookUps.filter((lookUp) => !hasCachedResult(lookUp))
      await this.#search(
        remainingLookUps.map((lookUp) => startAtExistingBlock(lookUp, head)),
        { toBlock: numberToHex(head.number), head, headNumber: head.number }
      )
    } catch (thrown) {
      for (const { reject } of lookUps) reject(thrown)
    }
  }

  async #search(lookUps: ReadonlyArray<PendingSearch>, end: SearchEnd): Promise<void> {
    // Operations that were accepted at about the same time are searched together, so that an old operation does not
    // extend the block range of the others.
    const sortedLookUps = lookUps.toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : 1))
    const isLong = (lookUp: PendingSearch) => end.headNumber - startOf(lookUp) >= LOG_PIECE_BLOCKS
    await Promise.all(
      groupByEntryPoint(sortedLookUps).flatMap(([entryPoint, ofOne]) => [
        ...Array.chunksOf(ofOne.filter(isLong), HASHES_MAX).map((chunk) =>
          this.#searchLongChunk(entryPoint, chunk, end)
        ),
        ...Array.chunksOf(
          ofOne.filter((lookUp) => !isLong(lookUp)),
          HASHES_MAX
        ).map((chunk) => this.#searchChunk(entryPoint, chunk, end))
      ])
    )
  }

  async #searchChunk(entryPoint: Address, chunk: ReadonlyArray<PendingSearch>, end: SearchEnd): Promise<void> {
    try {
      const [recentEvents, usedNonceFlags] = await Promise.all([
        this.#eventsOf(entryPoint, chunk, startOf(chunk[0]!), end),
        this.#findUsedNonces(chunk, end)
      ])
      const lookUpsWithUsedNonce = chunk.filter((_, index) => usedNonceFlags[index] === true)
      await this.#completeAll(entryPoint, chunk, recentEvents, new Set(lookUpsWithUsedNonce), end)
    } catch (thrown) {
      for (const { reject } of chunk) reject(thrown)
    }
  }

  /** Searches many blocks, but only for operations whose nonce is used. No block includes the others. */
  async #searchLongChunk(entryPoint: Address, chunk: ReadonlyArray<PendingSearch>, end: SearchEnd): Promise<void> {
    try {
      const usedNonceFlags = await this.#findUsedNonces(chunk, end)
      const lookUpsWithUsedNonce = chunk.filter((_, index) => usedNonceFlags[index] === true)
      for (const lookUp of chunk.filter((one) => !lookUpsWithUsedNonce.includes(one)))
        this.#complete(lookUp, ABSENT, end)
      const [firstLookUp] = lookUpsWithUsedNonce
      if (firstLookUp === undefined) return
      const rememberProgress = (fromBlock: bigint, missingHashes: ReadonlySet<string> | null) => {
        for (const hash of missingHashes ?? []) this.#continueAt.set(hash, fromBlock)
      }
      const events = await this.#eventsOf(entryPoint, lookUpsWithUsedNonce, startOf(firstLookUp), end, rememberProgress)
      for (const lookUp of lookUpsWithUsedNonce) {
        const event = events.get(lookUp.hash) ?? null
        // If no block has the event, the next search begins at the operation's first block again.
        if (event === null) this.#continueAt.delete(lookUp.hash)
        this.#complete(lookUp, { event, isNonceUsed: true }, end)
      }
    } catch (thrown) {
      for (const { reject } of chunk) reject(thrown)
    }
  }

  /**
   * Completes the searches of a chunk. `recentEvents` are those since the last searched head. `lookUpsWithUsedNonce` are
   * those whose nonce is used.
   */
  async #completeAll(
    entryPoint: Address,
    chunk: ReadonlyArray<PendingSearch>,
    recentEvents: ReadonlyMap<string, LogResponse>,
    lookUpsWithUsedNonce: ReadonlySet<PendingSearch>,
    end: SearchEnd
  ): Promise<void> {
    const isMissing = (lookUp: PendingSearch) => lookUpsWithUsedNonce.has(lookUp) && !recentEvents.has(lookUp.hash)
    for (const lookUp of chunk.filter((one) => !isMissing(one))) {
      const event = recentEvents.get(lookUp.hash) ?? null
      this.#complete(lookUp, { event, isNonceUsed: lookUpsWithUsedNonce.has(lookUp) }, end)
    }
    // If the nonce is used, an earlier empty search may have been wrong: the node did not have the block's events yet.
    const missingLookUps = chunk.filter(isMissing)
    const [firstBlock, ...otherBlocks] = missingLookUps.map(({ fromBlock }) => fromBlock)
    if (firstBlock === undefined) return
    const startBlock = otherBlocks.reduce(minBigInt, firstBlock)
    const earlierEvents = await this.#eventsOf(entryPoint, missingLookUps, startBlock, end)
    for (const lookUp of missingLookUps)
      this.#complete(lookUp, { event: earlierEvents.get(lookUp.hash) ?? null, isNonceUsed: true }, end)
  }

  #complete({ hash, previousSearch, resolve }: PendingSearch, result: SearchResult, { head }: SearchEnd): void {
    const isAbsent = result.event === null && !result.isNonceUsed
    const now = this.#time.now()
    this.#previousSearches.set(hash, {
      firstMs: previousSearch?.firstMs ?? now,
      lastMs: now,
      head: isAbsent ? head : null
    })
    resolve(result)
  }

  #findUsedNonces(chunk: ReadonlyArray<PendingSearch>, { toBlock }: SearchEnd): Promise<ReadonlyArray<boolean>> {
    return findUsedNonces(
      this.#request,
      chunk.map(({ operation }) => operation),
      toBlock
    )
  }

  /** Reads the EntryPoint's events of operations, by operation hash. */
  async #eventsOf(
    entryPoint: Address,
    searchedOperations: ReadonlyArray<SearchedOperation>,
    fromBlock: bigint,
    { headNumber, toBlock }: SearchEnd,
    onPiece?: Parameters<typeof operationLogs>[3]
  ): Promise<ReadonlyMap<string, LogResponse>> {
    const hashes = [...new Set(searchedOperations.map(({ hash }) => hash))]
    const filter = { fromBlock, toBlock, head: headNumber, topics: [hashes] }
    const logs = await operationLogs(this.#request, entryPoint, filter, onPiece)
    return new Map(logs.map((log) => [log.topics[1]!.toLowerCase(), log]))
  }
}

/** Searches for operations on all chains. */
export interface OperationSearch {
  readonly find: (searchedOperation: SearchedOperation) => Promise<SearchResult>
  /** Records an event that another node returned. The next search for the operation returns it. */
  readonly recordEvent: (searchedOperation: Pick<SearchedOperation, "operation" | "hash">, event: LogResponse) => void
}

export const operationSearch = (rpc: RpcClients["Service"], time: RpcTime = systemTime): OperationSearch => {
  const searches = new Map<EvmChainId, ChainSearch>()
  const searchOf = (chainId: EvmChainId): ChainSearch => {
    const search = searches.get(chainId) ?? new ChainSearch(rpc, chainId, time)
    searches.set(chainId, search)
    return search
  }
  return {
    find: (searchedOperation) => searchOf(searchedOperation.operation.chainId).find(searchedOperation),
    recordEvent: ({ hash, operation }, event) => searchOf(operation.chainId).recordEvent(hash, event)
  }
}
