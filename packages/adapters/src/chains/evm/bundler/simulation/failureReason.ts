import type { RevertReason } from "@countersign/core/operations/user-operations"
import { bytesFromHex } from "../../hex.ts"
import { revertReason, revertReasonWithoutData } from "../../revertReason.ts"
import { type CallFrame, failureOf } from "./CallFrame.ts"

/** Meanings of failures without return data, by the error texts of tracers (geth, reth, Erigon, Nethermind). */
const silentFailures: ReadonlyArray<readonly [RegExp, string]> = [
  [/out of gas|outofgas/iu, "Out of gas"],
  [/insufficient (?:balance|funds)|out ?of ?funds/iu, "The native balance does not cover the value of a call"],
  [/invalid opcode|invalidopcode|opcode not found/iu, "Invalid opcode"],
  [/stack|call depth|calltoodeep/iu, "The calls are nested too deeply"]
]

/** Returns why a frame of a trace failed. */
export const failureReason = (frame: CallFrame): RevertReason => {
  const { data, error } = failureOf(frame)
  const silentFailure = data === "0x" ? silentFailures.find(([pattern]) => pattern.test(error)) : undefined
  return silentFailure === undefined ? revertReason(bytesFromHex(data)) : revertReasonWithoutData(silentFailure[1])
}
