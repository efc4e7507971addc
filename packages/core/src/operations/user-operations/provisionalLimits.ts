import type { GasLimits } from "./Simulation.ts"

/** Generous gas limits for an operation whose calls take so much, of a wallet that is not deployed. */
export const provisionalLimits = (callGasLimit: bigint, preVerificationGas = 70_000n): GasLimits => ({
  callGasLimit,
  verificationGasLimit: 350_000n,
  preVerificationGas,
  paymasterVerificationGasLimit: 60_000n,
  paymasterPostOpGasLimit: 80_000n
})
