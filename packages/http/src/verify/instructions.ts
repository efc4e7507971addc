import { codec } from "./abi.ts"
import { type Bytes, sizeOf, Unreadable } from "./bytes.ts"
import { type List, unknownStep } from "./routerWords.ts"

/** A router's instructions by command code (two hexadecimal digits), each with its input types and its handler. */
export type InstructionSet<Run> = Readonly<Record<string, readonly [inputs: string, run: Run]>>

/** Runs a sequence of one-byte command codes, with one input per code. */
export const runInstructions = <Run>(
  instructionSet: InstructionSet<Run>,
  codes: Bytes,
  inputs: ReadonlyArray<Bytes>,
  step: (run: Run, args: List) => void
): void => {
  if (sizeOf(codes) !== inputs.length)
    throw new Unreadable("a router call has a different number of commands and inputs")
  for (const [i, code] of (codes.slice(2).match(/../gu) ?? []).entries()) {
    const [types, run] = instructionSet[code] ?? unknownStep(code)
    step(run, codec(types).decode(inputs[i]!))
  }
}
