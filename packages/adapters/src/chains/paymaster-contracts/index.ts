export { depositTransaction, listOperators, missingSteps, type PaymasterStep } from "./missingSteps.ts"
export { observeDeposit, observeNativeBalance, observePaymaster } from "./observePaymaster.ts"
export { isSetUp, type PaymasterPlan, type PaymasterState } from "./PaymasterPlan.ts"
export {
  ownedPaymasterDeployment,
  paymasterDeploymentOf
} from "./paymasterContract.ts"
export { StepUnfinished, sendRawTransaction, sendStep, waitForPendingTransactions } from "./sendStep.ts"
