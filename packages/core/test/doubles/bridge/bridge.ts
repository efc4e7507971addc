import { DateTime, Effect, Schema } from "effect"
import type { BlockRef, Transaction } from "../../../src/accounting/history/index.ts"
import { isEvmChainId } from "../../../src/foundation/chains/index.ts"
import { type Address, type Hash32, jsonText, type WalletAddress } from "../../../src/foundation/primitives/index.ts"
import type { Token } from "../../../src/foundation/tokens/index.ts"
import { FINALITY, reorgFinder, type Stage, type Step, withArrival } from "../../../src/operations/executions/index.ts"
import { transferCall } from "../../../src/operations/user-operations/index.ts"
import type { Offer, OfferRequest, SwapProvider } from "../../../src/trading/swap/index.ts"
import { swapKind } from "../../../src/trading/swap/index.ts"

/** A relayer's transaction for a deposit: a fill that pays the recipient, or a refund to the depositor. */
export interface Settlement {
  readonly hash: Hash32
  readonly block: BlockRef
  readonly amount: bigint
}

/** State of the bridge. Settlements are stored by the hash of the deposit's transaction. */
export interface Bridge {
  readonly address: Address
  readonly fills: Map<string, Settlement>
  readonly refunds: Map<string, Settlement>
}

const BRIDGE_FILL = "bridge-fill"
/** Time in milliseconds after which a deposit can no longer be filled, and is refunded. */
const FILL_TIMEOUT_MS = 3_600_000
const POLL_EVERY_MS = 5_000

/** Data that the bridge returns with its offer, and requires in each status request. */
const fillState = jsonText(Schema.Struct({ relayer: Schema.String }))

const offerOf = (bridge: Bridge, request: OfferRequest): Offer => ({
  ...request,
  amountOut: (request.amountIn * 99n) / 100n,
  certainty: "FLOOR",
  blockNumber: null,
  route: [
    {
      amountIn: request.amountIn,
      amountOut: (request.amountIn * 99n) / 100n,
      hops: [
        {
          venue: "Test Bridge",
          through: bridge.address,
          poolId: null,
          feePips: null,
          tokenIn: request.tokenIn.address,
          tokenOut: request.tokenOut.address
        }
      ]
    }
  ],
  fees: [
    {
      type: "PROVIDER",
      chainId: request.tokenIn.chainId,
      token: request.tokenIn.address,
      amount: request.amountIn / 100n,
      toAddress: null,
      percentage: null
    }
  ],
  executionSeconds: 90,
  stages: [{ name: BRIDGE_FILL, intent: null, status: "ON_BRIDGE", state: fillState.encode({ relayer: "fast" }) }],
  requoteAmount: (amountIn) => Effect.sync(() => offerOf(bridge, { ...request, amountIn })),
  requestFollowUp: null,
  intent: {
    _tag: "Calls",
    // A deposit is a plain transfer to the bridge.
    buildCalls: () => Effect.succeed([transferCall(request.tokenIn, bridge.address, request.amountIn)])
  }
})

export const bridgeProvider = (bridge: Bridge): SwapProvider => ({
  id: "bridge",
  name: "The bridge",
  serves: ({ chainIdIn, chainIdOut, isLimitOrder }) =>
    chainIdIn !== chainIdOut && isEvmChainId(chainIdIn) && isEvmChainId(chainIdOut) && !isLimitOrder,
  stages: Effect.map(bridgeFillStage(bridge), (stage) => [stage]),
  offer: (request) => Effect.sync(() => offerOf(bridge, request))
})

/** Creates a stage that waits until a deposit is filled on the destination chain or refunded. */
export const bridgeFillStage = (bridge: Bridge) =>
  Effect.gen(function* () {
    const findReorg = yield* reorgFinder
    const stage: Stage = {
      name: BRIDGE_FILL,
      waitsFor: "BRIDGE",
      awaited: "the fill",
      normalMs: FILL_TIMEOUT_MS,
      patienceMs: FILL_TIMEOUT_MS,
      step: Effect.fn("BridgeFillStage.step")(function* ({ execution, isOverdue, quote, stage, transaction }) {
        const { relayer } = fillState.decode(stage.state)
        const currentTransaction = yield* transaction
        const reorgedTransaction = yield* findReorg(currentTransaction)
        if (reorgedTransaction !== null) return reorgedTransaction
        const deposit = currentTransaction.legs.find((leg) => leg.stage < execution.at)
        const { request, tokens } = swapKind.decode(quote.content!)
        /** Returns the tokens that an account received from a settlement. */
        const addArrival = (
          before: Transaction,
          { amount, block, hash }: Settlement,
          token: Token,
          account: WalletAddress,
          counterparty: string
        ) => {
          const asset = { chainId: token.chainId, token: token.address }
          const commonFields = { account, asset, amount, usd: null, counterparty }
          return withArrival(before, execution.at, { chainId: token.chainId, hash, block, moved: commonFields })
        }
        const now = yield* DateTime.now

        const fill = bridge.fills.get(deposit?.hash ?? "")
        if (fill !== undefined) {
          return {
            _tag: "Next",
            change: (before) => ({
              ...addArrival(before, fill, tokens.tokenOut, request.toAddress, relayer),
              substatus: "FILLED",
              executedAt: now
            })
          }
        }

        const refund = bridge.refunds.get(deposit?.hash ?? "")
        if (isOverdue && refund !== undefined) {
          return {
            _tag: "Next",
            to: FINALITY,
            change: (before) => ({
              ...addArrival(before, refund, tokens.tokenIn, quote.walletAddress, bridge.address),
              status: "REFUNDED",
              substatus: "NOT_FILLED",
              executedAt: now
            })
          }
        }
        return { _tag: "Wait", afterMs: POLL_EVERY_MS } satisfies Step
      })
    }
    return stage
  })
