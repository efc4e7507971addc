import type { Transaction } from "../../src/client/index.ts"

type Status = Transaction["status"]
export type StatusStyle = "good" | "bad" | "waiting"

/** Style of each status. `satisfies` makes the compiler report a missing status. */
export const statusStyles = {
  PENDING_SIGNATURE: "waiting",
  PROCESSING: "waiting",
  ON_BRIDGE: "waiting",
  COMPLETED: "good",
  PARTIALLY_COMPLETED: "waiting",
  FAILED: "bad",
  CANCELLED: "bad",
  EXPIRED: "bad",
  REFUNDED: "bad"
} as const satisfies Readonly<Record<Status, StatusStyle>>

export const statuses = Object.keys(statusStyles) as ReadonlyArray<Status>

export const types = Object.keys({
  SWAP: true,
  CROSS_SWAP: true,
  TRANSFER: true,
  BATCH: true,
  CRYPTO_DEPOSIT: true,
  CRYPTO_WITHDRAW: true,
  LENDING_SUPPLY: true,
  LENDING_SUPPLY_BORROW: true,
  LENDING_BORROW: true,
  LENDING_REPAY: true,
  LENDING_REPAY_WITHDRAW: true,
  LENDING_WITHDRAW: true,
  LENDING_LIQUIDATION: true,
  LIQUIDITY_CREATE: true,
  LIQUIDITY_ADD: true,
  LIQUIDITY_WITHDRAW: true,
  LIQUIDITY_REBALANCE: true,
  LIMIT_ORDER: true,
  LIMIT_ORDER_CANCEL: true,
  FIAT_DEPOSIT: true,
  FIAT_WITHDRAWAL: true,
  WALLET_DEPLOY: true
} satisfies Readonly<Record<Transaction["type"], true>>) as ReadonlyArray<Transaction["type"]>
