import { accountContracts } from "../../deployments/index.ts"
import type { AccountImplementation } from "./AccountImplementation.ts"
import { encodeBaseAccount08Calls, packedUserOperationSignData } from "./baseAccount08.ts"
import { stubEcdsaSignature } from "./signature.ts"

const delegate = accountContracts.simple7702Account

/** An owner's own address that takes on eth-infinitism's Simple7702Account by EIP-7702. It has no factory, no salt. */
export const simple7702Account: AccountImplementation = {
  info: {
    factory: delegate,
    implementation: delegate,
    name: "Simple7702Account",
    kind: "SIMPLE_7702",
    entryPoint: accountContracts.entryPoint08,
    entryPointVersion: "0.8",
    eip7702: true
  },
  addressOf: (owner) => owner,
  storage: () => [],
  deployment: () => ({ factory: "0x7702", factoryData: null }),
  encodeCalls: encodeBaseAccount08Calls,
  stubSignature: stubEcdsaSignature,
  signData: packedUserOperationSignData,
  signsValidity: false,
  wrapSignature: (_operation, signature) => signature
}
