import { Effect, Option } from "effect"
import { type BitcoinTransactions, bitcoinToken } from "../../../bitcoin/chain/index.ts"
import type { walletDeposits } from "../../../bitcoin/payments/index.ts"
import { BadRequest } from "../../../foundation/errors/index.ts"
import { type CollectedFees, collectFees, type Fee } from "../../../foundation/fees/index.ts"
import {
  type BitcoinAddress,
  isEvmAddress,
  percentText,
  type WalletAddress
} from "../../../foundation/primitives/index.ts"
import type { Intent } from "../../../operations/intents/index.ts"
import type { PlanParameters } from "../../../operations/quotes/index.ts"
import type { RevertReason } from "../../../operations/user-operations/index.ts"
import { addressOf, signerOf } from "../../../wallets/registry/index.ts"
import { type Offer, type OfferError, RouteNotFound, type SwapProvider } from "../provider/Offer.ts"
import type { SwapOrder } from "../swapOrders.ts"
import { deductedGasFee, feesExceedAmount, guaranteedOutput, type SwapPlan } from "./swapPlan.ts"

/** A fee as a percentage of the amount on Bitcoin. */
interface Share {
  readonly type: "SERVICE" | "EXTRA"
  readonly address: BitcoinAddress
  readonly percentage: number
  readonly amount: bigint
}

interface FeeSplit {
  readonly split: CollectedFees
  readonly shares: ReadonlyArray<Share>
}

/** Splits an amount between the swap and the fees. Null if nothing remains for the swap. */
const divideAmount = ({ amountIn, project, request }: SwapOrder, gasFee: bigint): FeeSplit | null => {
  const { extraFee, transactionFeePercent } = request
  const treasury = project.bitcoinTreasury
  const collectors = { treasury, operatorTreasury: null, operatorSharePercent: 0 }
  const split = Option.getOrNull(collectFees(amountIn, gasFee, request, collectors))
  if (split === null) return null
  const share = (
    type: Share["type"],
    address: WalletAddress | null | undefined,
    percentage: number,
    amount: bigint
  ): ReadonlyArray<Share> =>
    address == null || isEvmAddress(address) || amount === 0n ? [] : [{ type, address, percentage, amount }]
  return {
    split,
    shares: [
      ...share("SERVICE", treasury, transactionFeePercent, split.treasuryFee),
      ...share("EXTRA", extraFee?.toAddress, extraFee?.percentage ?? 0, split.extraFee)
    ]
  }
}

const feeOf = ({ address, amount, percentage, type }: Share): Fee => ({
  type,
  chainId: 0,
  token: bitcoinToken.address,
  amount,
  toAddress: address,
  percentage: percentText(percentage)
})

const networkFeeOf = (amount: bigint): Fee => ({
  type: "NETWORK",
  chainId: 0,
  token: bitcoinToken.address,
  amount,
  toAddress: null,
  percentage: null
})

const roles = { SERVICE: "SERVICE_FEE", EXTRA: "EXTRA_FEE" } as const

const failOfChangedKind = Effect.die(new Error("An offer must have the same type of intent for every amount"))

/** Returns the Bitcoin wallet of the order. Fails for an EVM wallet, which can't make a Bitcoin payment. */
const bitcoinWalletOf = ({ request, wallet }: SwapOrder) =>
  wallet.type === "BITCOIN"
    ? Effect.succeed(wallet)
    : Effect.fail(BadRequest.of("walletAddress", "wrong_chain", `${request.walletAddress} is not a Bitcoin wallet.`))

/** A swap whose input is a Bitcoin payment. If the balance is too low, it has a `revertReason` and no payment. */
interface BitcoinSwapPlan extends SwapPlan {
  readonly intents: ReadonlyArray<Intent>
  readonly revertReason: RevertReason | null
}

/** Plans swaps whose input is a Bitcoin payment. */
export const bitcoinPlans = (
  transactions: BitcoinTransactions["Service"],
  prepareDeposit: Effect.Success<typeof walletDeposits>
) => {
  return Effect.fnUntraced(function* (
    order: SwapOrder,
    provider: SwapProvider,
    offer: Offer,
    { deadline, maxGasFee }: PlanParameters
  ): Effect.fn.Return<BitcoinSwapPlan, BadRequest | OfferError> {
    const { project, request } = order
    const wallet = yield* bitcoinWalletOf(order)
    const feeSplit = divideAmount(order, deductedGasFee(order, maxGasFee))
    if (feeSplit === null) return yield* feesExceedAmount(order, maxGasFee)
    const { shares, split } = feeSplit
    const netOffer = yield* offer.requoteAmount(split.net)
    if (netOffer.intent._tag !== "BitcoinPayment") return yield* failOfChangedKind
    const minAmountOut = guaranteedOutput(netOffer, request.slippage)
    const recipient = request.toAddress
    const terms = { sender: addressOf(wallet), signer: signerOf(wallet), recipient, minAmountOut, deadline }
    const {
      broadcastUntilMs,
      confirmations,
      fixed,
      minFeeRate,
      outputs: paymentOutputs
    } = yield* netOffer.intent.buildPayment(terms)
    if (fixed !== undefined && shares.length > 0) {
      return yield* new RouteNotFound({
        provider: provider.name,
        reason: "its Bitcoin payment can't include the request's fees"
      })
    }
    const feeOutputs = shares.map(({ address, amount, type }) => ({
      script: transactions.scriptOf(address),
      value: amount,
      role: roles[type],
      address,
      memo: null
    }))
    const outputs = [...paymentOutputs, ...feeOutputs]
    const plan = yield* prepareDeposit({
      projectId: project.id,
      wallet,
      outputs,
      minFeeRate,
      broadcastUntilMs,
      ...(fixed === undefined ? {} : { fixed })
    })
    if (plan._tag === "Impossible") return yield* new RouteNotFound({ provider: provider.name, reason: plan.reason })
    const shareFees = shares.map(feeOf)
    const swapPlan = { split, payments: [], fees: shareFees, offer: netOffer, minAmountOut, terms }
    if (plan._tag === "Missing") return { ...swapPlan, intents: [], revertReason: plan.revertReason }
    const { deposit } = plan
    const { change, fee } = deposit.selection
    const changeOutput = { address: wallet.address, value: change, role: "CHANGE" as const, memo: null }
    return {
      ...swapPlan,
      fees: [...shareFees, networkFeeOf(fee)],
      intents: [deposit.intent],
      revertReason: null,
      payment: {
        deposit,
        confirmations,
        outputs: [
          ...outputs.map(({ address, memo, role, value }) => ({ address, memo, role, value })),
          ...(change === 0n ? [] : [changeOutput])
        ]
      }
    }
  })
}

/** Returns a warning if the requested fee is not collected, because the project has no Bitcoin treasury. */
export const treasuryWarnings = ({ project, request }: SwapOrder): ReadonlyArray<string> =>
  request.chainIdIn === 0 && request.transactionFeePercent > 0 && project.bitcoinTreasury === null
    ? ["The fee of transactionFeePercent is not charged, because the project has no Bitcoin treasury."]
    : []
