import { aHash, anAddress, at } from "../../foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../foundation/primitives/index.ts"
import type { OperatorAccount, OperatorTransaction } from "./OperatorTransaction.ts"

/** Creates an operator account that no other test uses. */
export const anOperatorAccount = (): OperatorAccount => ({ chainId: 137, operator: anAddress() })

/** Creates a transaction that was just sent. */
export const anOperatorTransaction = (
  operatorAccount: OperatorAccount,
  nonce: number,
  fields: Partial<OperatorTransaction> = {}
): OperatorTransaction => ({
  ...operatorAccount,
  nonce,
  hash: aHash(),
  raw: HexBytes.make("0x02c0ffee"),
  maxFeePerGas: 30_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
  replaced: [],
  operations: [aHash()],
  state: "SENT",
  block: 100,
  sentAt: at(0),
  ...fields
})
