import { concatHex, type Hex, numberToHex, size } from "viem"

export interface ReentrantCall {
  readonly to: string
  readonly data: Hex
}

/**
 * Builds the code of a token that calls `hook` before each `transfer` and `transferFrom`, ignores the result, and then
 * runs the code of `implementation` with its own storage.
 */
export const reentrantToken = (implementation: string, hook: string): Hex =>
  concatHex([
    // PUSH0 CALLDATALOAD PUSH1 224 SHR; DUP1 PUSH4 transferFrom EQ; SWAP1 PUSH4 transfer EQ; OR ISZERO PUSH2 54 JUMPI
    "0x5f3560e01c8063",
    "0x23b872dd",
    "0x149063",
    "0xa9059cbb",
    "0x14171561003657",
    // Five times PUSH0, PUSH20 hook, GAS CALL POP; JUMPDEST at 54
    "0x5f5f5f5f5f73",
    hook as Hex,
    "0x5af1505b",
    // CALLDATASIZE PUSH0 PUSH0 CALLDATACOPY; PUSH0 PUSH0 CALLDATASIZE PUSH0 PUSH20 implementation GAS DELEGATECALL
    "0x365f5f375f5f365f73",
    implementation as Hex,
    // RETURNDATASIZE PUSH0 PUSH0 RETURNDATACOPY PUSH2 97 JUMPI; revert; JUMPDEST at 97; return
    "0x5af43d5f5f3e610061573d5ffd5b3d5ff3"
  ])

/** Storage slot of the hook that is 1 while its calls run, so that they do not run again within themselves. */
const BUSY_SLOT = "ff"
/** Sizes in bytes of the code before the calls, of one call, and after the calls. */
const HEAD_SIZE = 12
const CALL_SIZE = 48
const END_SIZE = 6

/**
 * Builds the code of a contract that makes these calls with at most 300,000 gas each, whatever their result. Storage
 * slot `i` counts the successes of call `i`.
 */
export const reentrantHook = (calls: ReadonlyArray<ReentrantCall>): Hex => {
  const bodiesEnd = HEAD_SIZE + CALL_SIZE * calls.length
  const dataOffset = (i: number) =>
    bodiesEnd + END_SIZE + calls.slice(0, i).reduce((sum, { data }) => sum + size(data), 0)
  const word = (value: number, bytes = 2) => numberToHex(value, { size: bytes })
  return concatHex([
    // PUSH1 ff SLOAD PUSH2 end JUMPI; PUSH1 1 PUSH1 ff SSTORE
    `0x60${BUSY_SLOT}5461`,
    word(bodiesEnd + END_SIZE - 2),
    `0x57600160${BUSY_SLOT}55`,
    ...calls.map(({ data, to }, i) =>
      concatHex([
        // PUSH2 size PUSH2 from PUSH0 CODECOPY; PUSH0 PUSH0 PUSH2 size PUSH0 PUSH0 PUSH20 to PUSH3 gas CALL
        "0x61",
        word(size(data)),
        "0x61",
        word(dataOffset(i)),
        "0x5f395f5f61",
        word(size(data)),
        "0x5f5f73",
        to as Hex,
        "0x620493e0f1",
        // PUSH1 i SLOAD ADD PUSH1 i SSTORE
        "0x60",
        word(i, 1),
        "0x540160",
        word(i, 1),
        "0x55"
      ])
    ),
    // PUSH0 PUSH1 ff SSTORE; JUMPDEST STOP
    `0x5f60${BUSY_SLOT}555b00`,
    ...calls.map(({ data }) => data)
  ])
}
