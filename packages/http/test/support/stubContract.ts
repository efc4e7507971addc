import { concatHex, type Hex, numberToHex, size, toFunctionSelector } from "viem"

/**
 * Builds the code of a contract that returns fixed bytes per function signature, whatever the arguments. Other calls
 * revert.
 */
export const stubContract = (responses: Readonly<Record<string, Hex>>): Hex => {
  const entries = Object.entries(responses)
  // PUSH0 CALLDATALOAD PUSH1 224 SHR; then for each: DUP1 PUSH4 selector EQ PUSH2 place JUMPI; then PUSH0 PUSH0 REVERT.
  const HEAD_SIZE = 5
  const CASE_SIZE = 11
  const END_SIZE = 3
  // JUMPDEST PUSH3 size PUSH3 from PUSH0 CODECOPY PUSH3 size PUSH0 RETURN
  const BODY_SIZE = 17
  const bodiesOffset = HEAD_SIZE + CASE_SIZE * entries.length + END_SIZE
  const dataStart = bodiesOffset + BODY_SIZE * entries.length
  const bodyOffset = (i: number) => numberToHex(bodiesOffset + BODY_SIZE * i, { size: 2 })
  const dataOffset = (i: number) =>
    numberToHex(dataStart + entries.slice(0, i).reduce((sum, [, bytes]) => sum + size(bytes), 0), { size: 3 })
  return concatHex([
    "0x5f3560e01c",
    ...entries.map(([signature], i) =>
      concatHex(["0x8063", toFunctionSelector(signature), "0x1461", bodyOffset(i), "0x57"])
    ),
    "0x5f5ffd",
    ...entries.map(([, bytes], i) => {
      const length = numberToHex(size(bytes), { size: 3 })
      return concatHex(["0x5b62", length, "0x62", dataOffset(i), "0x5f3962", length, "0x5ff3"])
    }),
    ...entries.map(([, bytes]) => bytes)
  ])
}
