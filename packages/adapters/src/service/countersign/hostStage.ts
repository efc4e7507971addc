import { Hash32 } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import {
  type Arrival,
  type Change,
  FINALITY,
  failureChange,
  reorgFinder,
  type Stage,
  type Step,
  type Work,
  withArrival
} from "@countersign/core/operations/executions"
import type { PlannedStage } from "@countersign/core/operations/quotes"
import { type SwapContent, swapKind } from "@countersign/core/trading/swap"
import { DateTime, Effect, Schema } from "effect"
import type { HostArrival, HostFollow, HostFollowResponse, HostSwapProvider } from "./HostSwapProvider.ts"
import { runHostCode } from "./runHostCode.ts"

const POLL_INTERVAL_MS = 5_000
const PATIENCE_SECONDS = 3_600

const nameOf = ({ id }: HostSwapProvider) => `host:${id}`

/** The stage that a quote plans for a cross-chain swap. */
export const hostStagePlan = (provider: HostSwapProvider): PlannedStage => ({
  name: nameOf(provider),
  intent: null,
  status: "ON_BRIDGE",
  state: ""
})

const HashText = Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]{64}$/u))

const isFollowResponse = Schema.is(
  Schema.Union([
    Schema.Struct({ status: Schema.Literal("WAITING") }),
    Schema.Struct({
      status: Schema.Literals(["ARRIVED", "REFUNDED"]),
      transactionHash: HashText,
      blockNumber: Schema.BigInt.check(Schema.isGreaterThanOrEqualToBigInt(0n)),
      blockHash: HashText,
      amount: Schema.BigInt.check(Schema.isGreaterThanBigInt(0n))
    }),
    Schema.Struct({ status: Schema.Literal("FAILED"), reason: Schema.String.check(Schema.isMaxLength(500)) })
  ])
)

const hash32 = (text: string) => Hash32.make(text.toLowerCase())

const arrivalOf = (token: Token, account: Arrival["moved"]["account"], arrival: HostArrival): Arrival => ({
  chainId: token.chainId,
  hash: hash32(arrival.transactionHash),
  block: { number: arrival.blockNumber, hash: hash32(arrival.blockHash) },
  moved: {
    account,
    asset: { chainId: token.chainId, token: token.address },
    amount: arrival.amount,
    usd: null,
    counterparty: null
  }
})

/** Converts a result of the host's code to the next step of the swap. */
const stepOf = (
  response: HostFollowResponse,
  { execution, quote }: Work,
  { request, tokens }: SwapContent,
  executedAt: DateTime.Utc
): Step => {
  const arrivalChange =
    (arrival: Arrival): Change =>
    (before) => ({ ...withArrival(before, execution.at, arrival), executedAt })
  switch (response.status) {
    case "WAITING":
      return { _tag: "Wait", afterMs: POLL_INTERVAL_MS }
    case "ARRIVED": {
      const change = arrivalChange(arrivalOf(tokens.tokenOut, request.toAddress, response))
      return { _tag: "Next", to: FINALITY, change: (before) => ({ ...change(before), substatus: "FILLED" }) }
    }
    case "REFUNDED": {
      const change = arrivalChange(arrivalOf(tokens.tokenIn, quote.walletAddress, response))
      const REFUND = { status: "REFUNDED", substatus: "NOT_FILLED" } as const
      return { _tag: "Next", to: FINALITY, change: (before) => ({ ...change(before), ...REFUND }) }
    }
    case "FAILED": {
      const change = failureChange("NOT_FILLED", response.reason)
      return { _tag: "Next", to: FINALITY, change: (before) => ({ ...change(before), executedAt }) }
    }
  }
}

/** Waits until the host's code reports how a cross-chain swap ended. */
export const hostStages = (provider: HostSwapProvider, { status, patienceSeconds = PATIENCE_SECONDS }: HostFollow) =>
  Effect.gen(function* () {
    const findReorg = yield* reorgFinder

    const followSwap = (
      work: Work,
      { amountIn, minAmountOut, request, tokens }: SwapContent,
      transactionHash: string
    ) =>
      runHostCode(provider, (signal) =>
        status({
          tokenIn: tokens.tokenIn,
          tokenOut: tokens.tokenOut,
          amountIn,
          minAmountOut,
          sender: work.quote.walletAddress,
          recipient: request.toAddress,
          transactionHash,
          isOverdue: work.isOverdue,
          signal
        })
      ).pipe(
        Effect.filterOrFail(isFollowResponse, () => "its result is not WAITING, ARRIVED, REFUNDED or FAILED"),
        Effect.map((response): HostFollowResponse => response),
        // If the host's code fails, the next poll may succeed.
        Effect.orElseSucceed((): HostFollowResponse => ({ status: "WAITING" }))
      )

    const stage: Stage = {
      name: nameOf(provider),
      waitsFor: "BRIDGE",
      awaited: "a result of the host's code: arrived, refunded or failed",
      normalMs: patienceSeconds * 1_000,
      patienceMs: patienceSeconds * 1_000,
      step: Effect.fn("HostStage.step")(function* (work) {
        const transaction = yield* work.transaction
        const reorgStep = yield* findReorg(transaction)
        if (reorgStep !== null) return reorgStep
        const content = swapKind.decode(work.quote.content!)
        const previousLeg = transaction.legs.find((leg) => leg.stage < work.execution.at)!
        const response = yield* followSwap(work, content, previousLeg.hash!)
        return stepOf(response, work, content, yield* DateTime.now)
      })
    }
    return [stage]
  })
