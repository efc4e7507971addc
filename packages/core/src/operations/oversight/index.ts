export { type Balance, SPENDING_DAYS } from "./balances.ts"
export { type FundedAccount, GasFunds } from "./GasFunds.ts"
export { type FailedOperation, type LateOperation, Oversight, type PendingWork } from "./Oversight.ts"
export { ALARM_OPERATIONS, affordableOperations, requiredAmount } from "./operationsPaid.ts"
