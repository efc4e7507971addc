import { fiatTreatment } from "../../fiat/index.ts"
import { batchTreatment } from "../../trading/batch/index.ts"
import { lendingTreatment, liquidationTreatment } from "../../trading/lending/index.ts"
import { cancellationTreatment, limitOrderTreatment } from "../../trading/limit-orders/index.ts"
import { depositTreatment, withdrawalTreatment } from "../../trading/liquidity/index.ts"
import { swapTreatment } from "../../trading/swap/index.ts"
import { transferTreatment } from "../../trading/transfer/index.ts"
import { activityTreatment } from "../../wallets/chain-activity/index.ts"
import type { TransactionType } from "../history/index.ts"
import { type TaxTreatment, treatAsTransfers } from "../tax-treatment/index.ts"

/** The tax treatment of each transaction type. The compiler requires an entry for every type. */
export const treatmentOf: Readonly<Record<TransactionType, TaxTreatment>> = {
  SWAP: swapTreatment,
  CROSS_SWAP: swapTreatment,
  LENDING_SUPPLY: lendingTreatment("LENDING_SUPPLY"),
  LENDING_SUPPLY_BORROW: lendingTreatment("LENDING_SUPPLY_BORROW"),
  LENDING_BORROW: lendingTreatment("LENDING_BORROW"),
  LENDING_WITHDRAW: lendingTreatment("LENDING_WITHDRAW"),
  LENDING_REPAY: lendingTreatment("LENDING_REPAY"),
  LENDING_REPAY_WITHDRAW: lendingTreatment("LENDING_REPAY_WITHDRAW"),
  LENDING_LIQUIDATION: liquidationTreatment,
  CRYPTO_DEPOSIT: activityTreatment,
  CRYPTO_WITHDRAW: activityTreatment,
  TRANSFER: transferTreatment,
  BATCH: batchTreatment,
  LIMIT_ORDER: limitOrderTreatment,
  LIMIT_ORDER_CANCEL: cancellationTreatment,
  FIAT_DEPOSIT: fiatTreatment,
  FIAT_WITHDRAWAL: fiatTreatment,
  LIQUIDITY_CREATE: depositTreatment,
  LIQUIDITY_ADD: depositTreatment,
  LIQUIDITY_WITHDRAW: withdrawalTreatment,
  LIQUIDITY_REBALANCE: depositTreatment,
  // A deployment costs only gas, and moves no asset.
  WALLET_DEPLOY: treatAsTransfers
}
