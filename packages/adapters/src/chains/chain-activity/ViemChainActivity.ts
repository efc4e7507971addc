import type { EvmChainId } from "@countersign/core/foundation/chains"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import type { Address } from "@countersign/core/foundation/primitives"
import { BlockGone, type BlockMark, RangeRefused } from "@countersign/core/trading/pools"
import {
  type ActivityRequest,
  type BlockRangeActivity,
  ChainActivity,
  type Touch
} from "@countersign/core/wallets/chain-activity"
import { Clock, Effect, Layer, Option } from "effect"
import { type Hex, numberToHex } from "viem"
import { type BlockResponse, hash32FromHex, RpcClients } from "../evm/index.ts"
import { balanceChanges } from "./balanceChanges.ts"
import { blockTracer } from "./blockTracer.ts"
import { type BlockLog, isInBlock, listedContracts, topicsOf, touchesOfLog, touchesOfNativeToken } from "./touches.ts"
import { transactionEvidence } from "./transactionEvidence.ts"

const NODE = "The chain's node"

const missingBlock = (number: number) =>
  new UpstreamUnavailable({ upstream: NODE, reason: `it does not have block ${number}` })

/** Converts a block; null if the node does not have the block. */
const markOf = (block: BlockResponse | null): BlockMark | null =>
  block?.hash == null || block.number === null
    ? null
    : { number: Number(block.number), hash: hash32FromHex(block.hash), at: Number(block.timestamp) }

const reasonOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message.split("\n")[0]! : "unknown")

const isKnownFailure = (value: unknown): value is RangeRefused | BlockGone =>
  value instanceof RangeRefused || value instanceof BlockGone

const numbersIn = ({ from, to }: ActivityRequest["range"]): ReadonlyArray<number> =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** Throws if a block is not the parent of the next one. The blocks then come from two nodes or two forks. */
const requireConnectedBlocks = (blocks: ReadonlyArray<BlockResponse>): void => {
  for (const [index, block] of blocks.entries()) {
    const previousBlock = blocks[index - 1]
    if (previousBlock !== undefined && block.parentHash !== undefined && block.parentHash !== previousBlock.hash) {
      throw new UpstreamUnavailable({
        upstream: NODE,
        reason: `it returned two different blocks with number ${Number(previousBlock.number)}, from two forks or two nodes`
      })
    }
  }
}

const requireLogsOf = (logs: ReadonlyArray<BlockLog>, marks: ReadonlyArray<BlockMark>): void => {
  const hashes = new Map(marks.map(({ hash, number }) => [number, hash]))
  for (const { blockHash, blockNumber } of logs) {
    const hash = hashes.get(Number(blockNumber))
    if (hash !== undefined && hash !== blockHash.toLowerCase()) {
      throw new UpstreamUnavailable({
        upstream: NODE,
        reason: `it returned two different blocks with number ${Number(blockNumber)}, from two forks or two nodes`
      })
    }
  }
}

/** Reads on-chain activity from the logs and blocks of nodes. */
export const layer = Layer.effect(
  ChainActivity,
  Effect.gen(function* () {
    const rpc = yield* RpcClients
    const clock = yield* Clock.Clock
    const tracer = blockTracer(rpc, () => clock.currentTimeMillisUnsafe())

    const blockAt = (chainId: EvmChainId, number: number, withTransactions = false) =>
      rpc.request(chainId, "eth_getBlockByNumber", [numberToHex(number), withTransactions])

    const logsOf = async (chainId: EvmChainId, { among, logs, range }: ActivityRequest) => {
      const filter = {
        ...(logs === "LISTED" ? { address: listedContracts(chainId) } : {}),
        fromBlock: numberToHex(range.from),
        toBlock: numberToHex(range.to)
      }
      const logLists = await Promise.all(
        topicsOf(among).map((topics) => rpc.request(chainId, "eth_getLogs", [{ ...filter, topics }]))
      )
      return logLists.flat().filter(isInBlock)
    }

    const nativeTouchesOf = async (chainId: EvmChainId, block: BlockResponse) => {
      const { isTraced, transfers } = await tracer.nativeTransfersOf(chainId, block)
      const location = { blockNumber: Number(block.number), blockHash: hash32FromHex(block.hash!) }
      return { isTraced, touches: transfers.flatMap((each) => touchesOfNativeToken(each, location)) }
    }

    const findChangedBlocks = async (
      chainId: EvmChainId,
      { among, range }: ActivityRequest,
      touches: ReadonlyArray<Touch>
    ): Promise<ReadonlyArray<BlockResponse>> => {
      const nativeBalanceAt = async (account: Address, block: number) =>
        BigInt(await rpc.request(chainId, "eth_getBalance", [account, numberToHex(block)]))
      const numbers = await balanceChanges(nativeBalanceAt, among ?? [], range, touches)
      return Promise.all(
        numbers.map(async (number) => {
          const block = await blockAt(chainId, number, tracer.needsTransactions(chainId))
          if (block === null) throw missingBlock(number)
          return block
        })
      )
    }

    /** Returns the blocks whose native token transfers are read. For `CHANGED_BALANCES` it finds and requests them. */
    const blocksOfNativeToken = (
      chainId: EvmChainId,
      request: ActivityRequest,
      blocks: ReadonlyArray<BlockResponse>,
      touches: ReadonlyArray<Touch>
    ) => {
      switch (request.nativeToken) {
        case "NONE":
          return []
        case "EVERY_BLOCK":
          return blocks
        case "CHANGED_BALANCES":
          return findChangedBlocks(chainId, request, touches)
      }
    }

    /**
     * Reads logs and blocks. Throws the port's errors. Sends the requests concurrently, so that the responses probably
     * come from one node.
     */
    const readBlocks = async (chainId: EvmChainId, request: ActivityRequest): Promise<BlockRangeActivity> => {
      const { anchor, nativeToken, range } = request
      const readsEveryBlock = nativeToken === "EVERY_BLOCK"
      const numbers = readsEveryBlock ? numbersIn(range) : [range.to]
      const [anchorBlock, logs, ...rangeBlocks] = await Promise.all([
        anchor === null ? null : blockAt(chainId, anchor.number),
        logsOf(chainId, request).catch((thrown: unknown) => new RangeRefused({ reason: reasonOf(thrown) })),
        ...numbers.map((number) => blockAt(chainId, number, readsEveryBlock && tracer.needsTransactions(chainId)))
      ])
      const previousMark = markOf(anchorBlock)
      if (anchor !== null && previousMark === null) throw missingBlock(anchor.number)
      if (anchor !== null && previousMark!.hash !== anchor.hash) throw new BlockGone({ number: anchor.number })
      const blocks = rangeBlocks.filter((block) => block !== null)
      const marks = blocks.map(markOf).filter((mark) => mark !== null)
      if (marks.length < numbers.length) throw missingBlock(range.to)
      requireConnectedBlocks(anchorBlock === null ? blocks : readsEveryBlock ? [anchorBlock, ...blocks] : blocks)
      if (logs instanceof RangeRefused) throw logs
      const touchesOfLogs = logs.flatMap((log) => touchesOfLog(chainId, log))
      const blocksWithTransfers = await blocksOfNativeToken(chainId, request, blocks, touchesOfLogs)
      requireLogsOf(
        logs,
        readsEveryBlock ? marks : [...marks, ...blocksWithTransfers.map(markOf).filter((mark) => mark !== null)]
      )
      const nativeTransfers = await Promise.all(blocksWithTransfers.map((block) => nativeTouchesOf(chainId, block)))
      return {
        marks,
        touches: [...touchesOfLogs, ...nativeTransfers.flatMap(({ touches }) => touches)],
        seesInternalNativeToken: nativeToken !== "NONE" && nativeTransfers.every(({ isTraced }) => isTraced)
      }
    }

    return ChainActivity.of({
      readHead: (chainId) =>
        rpc.call(chainId, async () => {
          const { hash, number, timestamp } = await rpc.latestBlock(chainId, 0)
          return { number: Number(number), hash: hash32FromHex(hash as Hex), at: timestamp }
        }),
      readBlockMarks: (chainId, numbers) =>
        rpc.call(chainId, async () =>
          (await Promise.all(numbers.map((number) => blockAt(chainId, number)))).map(markOf)
        ),
      readRange: Effect.fn("ViemChainActivity.between")(function* (chainId, request) {
        const response = yield* rpc.call(chainId, () =>
          readBlocks(chainId, request).catch((thrown: unknown) => {
            if (isKnownFailure(thrown)) return thrown
            throw thrown
          })
        )
        return isKnownFailure(response) ? yield* Effect.fail(response) : response
      }),
      readEvidence: Effect.fn("ViemChainActivity.evidence")(function* (chainId, transactionHash) {
        const evidence = yield* rpc.call(chainId, () => transactionEvidence(rpc, chainId, transactionHash))
        return Option.fromNullishOr(evidence)
      })
    })
  })
)
