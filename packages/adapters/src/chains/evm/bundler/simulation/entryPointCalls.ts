import { entryPoint06Address, entryPoint07Address, entryPoint08Address } from "viem/account-abstraction"
import { type CallFrame, findFrame } from "./CallFrame.ts"

const entryPoints: ReadonlySet<string> = new Set(
  [entryPoint06Address, entryPoint07Address, entryPoint08Address].map((address) => address.toLowerCase())
)

export const isEntryPoint = (address: string): boolean => entryPoints.has(address.toLowerCase())

/**
 * Whether a frame, or one inside it, calls an EntryPoint so that state may change. A paymaster's list of bundlers looks
 * at `tx.origin`: an operation that calls `handleOps` of another EntryPoint passes it for every operation that it brings.
 */
export const callsEntryPoint = (frame: CallFrame): boolean =>
  findFrame(frame, ({ to, type }) => type !== "STATICCALL" && to !== undefined && isEntryPoint(to)) !== undefined
