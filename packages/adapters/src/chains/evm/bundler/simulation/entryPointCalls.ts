import { entryPoint06Address, entryPoint07Address, entryPoint08Address } from "viem/account-abstraction"
import { type CallFrame, findFrame } from "./CallFrame.ts"

const entryPoints: ReadonlySet<string> = new Set(
  [entryPoint06Address, entryPoint07Address, entryPoint08Address].map((address) => address.toLowerCase())
)

export const isEntryPoint = (address: string): boolean => entryPoints.has(address.toLowerCase())

/**
 * Whether a frame calls an EntryPoint and may change state. Such operations are rejected: a paymaster with a list of
 * bundlers checks `tx.origin`, and all operations in a nested `handleOps` call of another EntryPoint would pass this
 * check.
 */
export const callsEntryPoint = (frame: CallFrame): boolean =>
  findFrame(frame, ({ to, type }) => type !== "STATICCALL" && to !== undefined && isEntryPoint(to)) !== undefined
