import { aDraft } from "../../accounting/history/Transaction.fixture.ts"
import { aHash, anAddress, at } from "../../foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../foundation/primitives/index.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { anAccount } from "../../wallets/registry/Wallet.fixture.ts"
import type { UserOperationIntent } from "../intents/index.ts"
import type { UserOperation } from "../user-operations/index.ts"
import type { Quote } from "./Quote.ts"

export const aUserOperation = (fields: Partial<UserOperation> = {}): UserOperation => ({
  chainId: 137,
  entryPoint: anAddress(),
  entryPointVersion: "0.8",
  sender: anAddress(),
  nonce: 0n,
  factory: null,
  factoryData: null,
  callData: HexBytes.make("0x"),
  callGasLimit: 100_000n,
  verificationGasLimit: 200_000n,
  preVerificationGas: 50_000n,
  maxFeePerGas: 30_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  paymaster: null,
  authorization: null,
  validUntil: null,
  ...fields
})

export const anOperationIntent = (fields: Partial<UserOperationIntent> = {}): UserOperationIntent => {
  const hash = fields.hash ?? aHash()
  const account = fields.account ?? anAccount()
  return {
    type: "USER_OPERATION",
    account,
    operation: aUserOperation({ sender: account.address }),
    hash,
    gas: {
      token: anAddress(),
      maxWei: 10n ** 16n,
      maxToken: 1_500_000n,
      expectedToken: 1_000_000n,
      unpaidWei: 0n,
      isFirstUse: false
    },
    signData: [{ type: "USER_OPERATION", method: "personal_sign", hash }],
    ...fields
  }
}

/** Creates a quote of one user operation, with the operation's hash as its id. */
export const aQuote = (fields: Partial<Quote> = {}): Quote => {
  const intent = anOperationIntent()
  return {
    id: intent.hash,
    projectId: aProjectId(),
    walletAddress: intent.account.address,
    kind: "SWAP",
    content: null,
    prices: {},
    intents: [intent],
    uses: [],
    stages: [
      { name: "inclusion", intent: 0, status: "PROCESSING" },
      { name: "finality", intent: null, status: "COMPLETED" }
    ],
    transaction: aDraft(),
    revertReason: null,
    metadata: {},
    createdAt: at(0),
    expiresAt: at(60_000),
    executionMs: 4_000,
    ...fields
  }
}
