import { aHash, anAddress, at } from "../../foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../foundation/primitives/index.ts"
import type { Lane, OperatorTransaction } from "./OperatorTransaction.ts"

/** A unique operator account. */
export const aLane = (): Lane => ({ chainId: 137, operator: anAddress() })

/** A transaction that was just sent. */
export const anOperatorTransaction = (
  lane: Lane,
  nonce: number,
  fields: Partial<OperatorTransaction> = {}
): OperatorTransaction => ({
  ...lane,
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
