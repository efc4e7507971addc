import type { GasLimits } from "./Simulation.ts"

/** Returns estimated gas limits for an operation with this call gas. They also suffice to deploy the wallet. */
export const provisionalLimits = (callGasLimit: bigint, preVerificationGas = 70_000n): GasLimits => ({
  callGasLimit,
  verificationGasLimit: 350_000n,
  preVerificationGas,
  paymasterVerificationGasLimit: 60_000n,
  paymasterPostOpGasLimit: 80_000n
})
