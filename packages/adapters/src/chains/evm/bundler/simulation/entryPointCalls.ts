import { entryPoint06Address, entryPoint07Address, entryPoint08Address } from "viem/account-abstraction"
import { type CallFrame, findFrame } from "./CallFrame.ts"

const entryPoints: ReadonlySet<string> = new Set(
  [entryPoint06Address, entryPoint07Address, entryPoint08Address].map((address) => address.toLowerCase())
)

export const isEntryPoint = (address: string): boolean => entryPoints.has(address.toLowerCase())

/**
 * Whether a frame calls an EntryPoint with possible state changes. A paymaster's list of bundlers checks `tx.origin`:
 * an operation that calls `handleOps` of another EntryPoint passes it for all operations that it contains.
 */
export const callsEntryPoint = (frame: CallFrame): boolean =>
  findFrame(frame, ({ to, type }) => type !== "STATICCALL" && to !== undefined && isEntryPoint(to)) !== undefined
