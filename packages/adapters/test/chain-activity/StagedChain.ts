import type { EvmChainId } from "@countersign/core/foundation/chains"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { type Address, Hash32, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { ChainReader, type TokenTransfer } from "@countersign/core/operations/user-operations"
import { BlockGone, type BlockMark, RangeRefused } from "@countersign/core/trading/pools"
import {
  type BlockRangeActivity,
  ChainActivity,
  type Evidence,
  type NativeTokenTransfer,
  type Touch
} from "@countersign/core/wallets/chain-activity"
import { Effect, Layer, Option } from "effect"

export interface StagedTransaction {
  readonly hash: Hash32
  readonly from: Address
  readonly transfers: ReadonlyArray<TokenTransfer>
  readonly coin: ReadonlyArray<NativeTokenTransfer>
  readonly operations: Evidence["operations"]
  readonly success: boolean
}

interface StagedBlock extends BlockMark {
  readonly transactions: ReadonlyArray<StagedTransaction>
}

let createdBlockCount = 0

/** A chain whose blocks a test adds and removes. It is served as `ChainActivity` and `ChainReader`. */
export class StagedChain {
  readonly chainId: EvmChainId
  readonly blockSeconds: number
  blocks: Array<StagedBlock> = []
  /** The maximum number of blocks in one request. */
  maxRange = Number.POSITIVE_INFINITY
  /** The maximum number of logs in one response. */
  maxLogs = Number.POSITIVE_INFINITY
  listedTokens: ReadonlyArray<Address> = []
  requests = 0
  /** Whether the nodes report the same transactions. */
  isAgreed = true
  /** Transactions whose receipts are too large. */
  readonly largeTransactions = new Set<Hash32>()
  /** Whether the nodes return balances at past blocks. */
  hasPastState = true
  readonly #startsAt: number

  constructor(chainId: EvmChainId, startsAt: number, blockSeconds = 2) {
    this.chainId = chainId
    this.blockSeconds = blockSeconds
    this.#startsAt = startsAt
    this.mine()
  }

  mine(...transactions: ReadonlyArray<StagedTransaction>): StagedBlock {
    createdBlockCount += 1
    const number = this.blocks.length
    const hash = Hash32.make(`0x${createdBlockCount.toString(16).padStart(64, "b")}`)
    const block = { number, hash, at: this.#startsAt + number * this.blockSeconds, transactions }
    this.blocks.push(block)
    return block
  }

  mineEmpty(count: number): void {
    for (let minedCount = 0; minedCount < count; minedCount++) this.mine()
  }

  /** Removes the last `count` blocks and returns them. */
  drop(count: number): ReadonlyArray<StagedBlock> {
    return this.blocks.splice(this.blocks.length - count)
  }

  get head(): StagedBlock {
    return this.blocks.at(-1)!
  }

  #markOf = (number: number): BlockMark | null => {
    const block = this.blocks[number]
    return block === undefined ? null : { number, hash: block.hash, at: block.at }
  }

  #touchesIn = ({ hash: blockHash, number: blockNumber, transactions }: StagedBlock, withNativeToken: boolean) =>
    transactions.flatMap(({ coin, hash: transactionHash, operations, success, transfers }) => {
      const location = { transactionHash, blockNumber, blockHash }
      const partiesOf = ({ from, to }: NativeTokenTransfer): ReadonlyArray<Address> => [from, to]
      const touches: ReadonlyArray<Touch> = [
        ...(success ? transfers : []).flatMap((transfer) =>
          partiesOf(transfer).map((account) => ({ ...location, account, token: transfer.token, nativeToken: null }))
        ),
        ...operations.map(({ sender }) => ({ ...location, account: sender, token: null, nativeToken: null })),
        ...(withNativeToken ? coin : []).flatMap((transfer) =>
          partiesOf(transfer).map((account) => ({ ...location, account, token: NATIVE_TOKEN, nativeToken: transfer }))
        )
      ]
      return touches
    })

  #evidence = (transactionHash: Hash32): Evidence | null => {
    for (const block of this.blocks) {
      const transaction = block.transactions.find(({ hash }) => hash === transactionHash)
      if (transaction === undefined) continue
      const { from, operations, success, transfers } = transaction
      const { at, hash, number } = block
      return {
        block: { number, hash, at },
        success,
        from,
        fee: 21_000n,
        transfers: success ? transfers : [],
        operations
      }
    }
    return null
  }

  layer = () => {
    const countResponse = <A, E>(response: Effect.Effect<A, E>) =>
      Effect.suspend(() => {
        this.requests += 1
        return response
      })
    const blockUnavailable = new UpstreamUnavailable({
      upstream: "the staged chain",
      reason: "it does not have the block"
    })
    const activity = Layer.succeed(
      ChainActivity,
      ChainActivity.of({
        readHead: () => countResponse(Effect.sync(() => this.#markOf(this.head.number)!)),
        readBlockMarks: (_, numbers) => countResponse(Effect.sync(() => numbers.map(this.#markOf))),
        readRange: (_, { among, anchor, logs, nativeToken, range: { from, to } }) =>
          countResponse(
            Effect.suspend((): Effect.Effect<BlockRangeActivity, UpstreamUnavailable | RangeRefused | BlockGone> => {
              if (to - from + 1 > this.maxRange) return Effect.fail(new RangeRefused({ reason: "too many blocks" }))
              const previousMark = anchor === null ? null : this.#markOf(anchor.number)
              if (anchor !== null && previousMark === null) return Effect.fail(blockUnavailable)
              if (anchor !== null && previousMark!.hash !== anchor.hash) {
                return Effect.fail(new BlockGone({ number: anchor.number }))
              }
              const blocks = this.blocks.slice(from, to + 1)
              if (blocks.length < to - from + 1) return Effect.fail(blockUnavailable)
              const isRead = (token: Address | null) =>
                logs === "ALL" || token === null || token === NATIVE_TOKEN || this.listedTokens.includes(token)
              const logCount = blocks
                .flatMap(({ transactions }) => transactions.flatMap(({ transfers }) => transfers))
                .filter(({ token }) => isRead(token)).length
              if (logCount > this.maxLogs) return Effect.fail(new RangeRefused({ reason: "too many logs" }))
              const includesNativeToken =
                nativeToken === "EVERY_BLOCK" || (nativeToken === "CHANGED_BALANCES" && this.hasPastState)
              const touches = blocks.flatMap((block) => this.#touchesIn(block, includesNativeToken))
              return Effect.succeed({
                marks: blocks.map(({ number }) => this.#markOf(number)!),
                touches: touches.filter(
                  ({ account, nativeToken: transfer, token }) =>
                    isRead(token) && (transfer !== null || among === null || among.includes(account))
                ),
                seesInternalNativeToken: includesNativeToken
              })
            })
          ),
        readEvidence: (_, hash) =>
          countResponse(
            Effect.sync(() => {
              if (this.largeTransactions.has(hash)) return Option.some("TOO_LARGE" as const)
              return this.isAgreed ? Option.fromNullishOr(this.#evidence(hash)) : Option.none()
            })
          )
      })
    )
    const reader = Layer.mock(ChainReader, {
      agreedBlockAt: (_, number) =>
        Effect.sync(() => {
          const hash = this.#markOf(Number(number))?.hash ?? null
          return { headNumber: BigInt(this.head.number), hash, isMissing: hash === null }
        })
    })
    return Layer.merge(activity, reader)
  }
}
