import { batchQuote } from "./batch.ts"
import { bitcoinBroadcast, bitcoinBump, bitcoinCancel } from "./bitcoin.ts"
import { chainList, providerList, tokenSearch } from "./catalog.ts"
import { execute, executeUserOperation, transactionShow, userOperationShow } from "./executions.ts"
import {
  fiatDeposit,
  fiatDepositQuote,
  fiatOrderList,
  fiatOrderShow,
  fiatWithdrawal,
  fiatWithdrawalQuote,
  financialLimits
} from "./fiat.ts"
import { lendingMarkets, lendingPositions, lendingQuote } from "./lending.ts"
import { limitOrderCancel, limitOrderPlace } from "./limitOrders.ts"
import { liquidityAdd, liquidityCreate, liquidityRebalance, liquidityWithdraw } from "./liquidity.ts"
import { poolSearch, poolShow, positionShow } from "./pools.ts"
import { walletPortfolio, walletPortfolioChart } from "./portfolio.ts"
import { swapQuote } from "./swap.ts"
import { taxExport, taxSchedule, taxScheduleList, taxScheduleRemove } from "./tax.ts"
import { transferQuote } from "./transfer.ts"
import {
  businessVerification,
  businessVerificationProcess,
  businessVerificationShow,
  fiatRegistration,
  fiatTermsLink,
  individualVerification,
  individualVerificationProcess,
  individualVerificationShow
} from "./verification.ts"
import {
  bitcoinProofMessage,
  walletAddress,
  walletFactories,
  walletHistory,
  walletList,
  walletRegister,
  walletReplaceMetadata,
  walletShow
} from "./wallets.ts"
import {
  webhookCreate,
  webhookDeliveries,
  webhookEnable,
  webhookList,
  webhookRedeliver,
  webhookRemove,
  webhookRotate,
  webhookShow,
  webhookTest
} from "./webhooks.ts"

export { answerOf, type CallInput, type TextInput } from "./answerOf.ts"
export {
  type AnyEndpoint,
  type Call,
  type CostName,
  type Endpoint,
  type EndpointServices,
  endpoint,
  type StreamedList
} from "./Endpoint.ts"
export { inTurn } from "./inTurn.ts"
export { decoderOf, jsonOf } from "./json.ts"

/** Every endpoint of the API, in the order of its reference. */
export const endpoints = {
  swapQuote,
  limitOrderPlace,
  limitOrderCancel,
  transferQuote,
  bitcoinBroadcast,
  bitcoinBump,
  bitcoinCancel,
  batchQuote,
  liquidityCreate,
  liquidityAdd,
  liquidityWithdraw,
  liquidityRebalance,
  lendingQuote,
  lendingMarkets,
  lendingPositions,
  execute,
  transactionShow,
  executeUserOperation,
  userOperationShow,
  walletRegister,
  bitcoinProofMessage,
  walletReplaceMetadata,
  walletAddress,
  walletList,
  walletFactories,
  walletShow,
  walletHistory,
  walletPortfolio,
  walletPortfolioChart,
  taxSchedule,
  taxExport,
  taxScheduleList,
  taxScheduleRemove,
  fiatDepositQuote,
  fiatWithdrawalQuote,
  fiatDeposit,
  fiatWithdrawal,
  fiatOrderShow,
  fiatOrderList,
  financialLimits,
  chainList,
  providerList,
  tokenSearch,
  poolShow,
  poolSearch,
  positionShow,
  businessVerification,
  businessVerificationShow,
  businessVerificationProcess,
  individualVerification,
  individualVerificationShow,
  individualVerificationProcess,
  fiatTermsLink,
  fiatRegistration,
  webhookCreate,
  webhookEnable,
  webhookRotate,
  webhookTest,
  webhookRedeliver,
  webhookList,
  webhookShow,
  webhookRemove,
  webhookDeliveries
}
