import { aHash, anAddress } from "../../foundation/primitives/ids.fixture.ts"
import type { DetectedTransfer, WatchProgress } from "./Activity.ts"

export const aWatchProgress = (fields: Partial<WatchProgress> = {}): WatchProgress => ({
  last: { number: 100, hash: aHash(), at: 1_000 },
  recent: [{ number: 99, hash: aHash(), at: 998 }],
  span: 20,
  backfillSpan: 2_000,
  headNumber: 101,
  headSeenAt: 1_780_000_000_000,
  seesInternalNativeToken: true,
  ...fields
})

export const aDetectedTransfer = (fields: Partial<DetectedTransfer> = {}): DetectedTransfer => ({
  chainId: 137,
  transactionHash: aHash(),
  address: anAddress(),
  blockNumber: 100,
  blockHash: aHash(),
  coin: [],
  ...fields
})
