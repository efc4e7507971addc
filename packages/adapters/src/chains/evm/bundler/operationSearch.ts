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
import { operationLogs } from "./operationLogs.ts"

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

interface PendingSearch extends SearchedOperation {
  readonly previousSearch: PreviousSearch | undefined
  readonly resolve: (result: SearchResult) => void
  readonly reject: (thrown: unknown) => void
}

const groupByEntryPoint = (
  lookUps: ReadonlyArray<PendingSearch>
): ReadonlyArray<readonly [Address, ReadonlyArray<PendingSearch>]> => [
  ...Map.groupBy(lookUps, ({ operation }) => operation.entryPoint)
]

/**
 * Returns the first block to search: the operation's own first block, or the last searched block minus the maximum
 * depth of a reorg if that is later.
 */
const startOf = ({ fromBlock, operation, previousSearch }: PendingSearch): bigint => {
  if (previousSearch?.head == null) return fromBlock
  const earliestBlock = previousSearch.head.number - BigInt(chainOf(operation.chainId).finalityBlocks)
  return earliestBlock > fromBlock ? earliestBlock : fromBlock
}

/** If the first block is above the head, searches the latest `DEFAULT_SEARCH_BLOCKS` blocks instead. */
const startAtExistingBlock = (lookUp: PendingSearch, head: LatestBlock): PendingSearch =>
  lookUp.fromBlock <= head.number
    ? lookUp
    : {
        ...lookUp,
        fromBlock: maxBigInt(0n, head.number - DEFAULT_SEARCH_BLOCKS),
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
  /** Events that another node has returned. */
  readonly #recordedEvents = new Map<Hash32, LogResponse>()

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
    void this.#search(lookUps.filter(isRecent), "latest", null)
    void this.#searchAtHead(lookUps.filter((lookUp) => !isRecent(lookUp)))
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
        numberToHex(head.number),
        head
      )
    } catch (thrown) {
      for (const { reject } of lookUps) reject(thrown)
    }
  }

  async #search(
    lookUps: ReadonlyArray<PendingSearch>,
    toBlock: Hex | "latest",
    head: LatestBlock | null
  ): Promise<void> {
    // Operations that were accepted at about the same time are searched together, so that an old operation does not
    // extend the block range of the others.
    const sortedLookUps = lookUps.toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : 1))
    await Promise.all(
      groupByEntryPoint(sortedLookUps).flatMap(([entryPoint, ofOne]) =>
        Array.chunksOf(ofOne, HASHES_MAX).map((chunk) => this.#searchChunk(entryPoint, chunk, toBlock, head))
      )
    )
  }

  async #searchChunk(
    entryPoint: Address,
    chunk: ReadonlyArray<PendingSearch>,
    toBlock: Hex | "latest",
    head: LatestBlock | null
  ): Promise<void> {
    try {
      const request: NodeRequest = (method, params) => this.#rpc.request(this.#chainId, method, params)
      const operations = chunk.map(({ operation }) => operation)
      const [recentEvents, usedNonceFlags] = await Promise.all([
        eventsOf(request, entryPoint, chunk, startOf(chunk[0]!), toBlock),
        findUsedNonces(request, operations, toBlock)
      ])
      // If the nonce is used, an earlier empty search may have been wrong: the node did not have the block's events
      // yet.
      const missingLookUps = chunk.filter(
        (lookUp, index) => usedNonceFlags[index] === true && !recentEvents.has(lookUp.hash)
      )
      const firstMissingBlock = missingLookUps.reduce(
        (minBlock, { fromBlock }) => minBigInt(fromBlock, minBlock),
        startOf(chunk[0]!)
      )
      const earlierEvents =
        missingLookUps.length === 0
          ? recentEvents
          : await eventsOf(request, entryPoint, missingLookUps, firstMissingBlock, toBlock)
      for (const [index, lookUp] of chunk.entries()) {
        const event = recentEvents.get(lookUp.hash) ?? earlierEvents.get(lookUp.hash) ?? null
        const isNonceUsed = usedNonceFlags[index] === true
        this.#remember(lookUp, event === null && !isNonceUsed ? head : null)
        lookUp.resolve({ event, isNonceUsed })
      }
    } catch (thrown) {
      for (const { reject } of chunk) reject(thrown)
    }
  }

  #remember({ hash, previousSearch }: PendingSearch, head: LatestBlock | null): void {
    const now = this.#time.now()
    this.#previousSearches.set(hash, { firstMs: previousSearch?.firstMs ?? now, lastMs: now, head })
  }
}

/** Reads the EntryPoint's events of operations, by operation hash. */
const eventsOf = async (
  request: NodeRequest,
  entryPoint: Address,
  searchedOperations: ReadonlyArray<SearchedOperation>,
  fromBlock: bigint,
  toBlock: Hex | "latest"
): Promise<ReadonlyMap<string, LogResponse>> => {
  const hashes = [...new Set(searchedOperations.map(({ hash }) => hash))]
  const logs = await operationLogs(request, entryPoint, { fromBlock, toBlock, topics: [hashes] })
  return new Map(logs.map((log) => [log.topics[1]!.toLowerCase(), log]))
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
