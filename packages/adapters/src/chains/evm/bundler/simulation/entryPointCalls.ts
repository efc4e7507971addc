import { entryPoint06Address, entryPoint07Address, entryPoint08Address } from "viem/account-abstraction"
import { type CallFrame, findFrame } from "./CallFrame.ts"

const entryPoints: ReadonlySet<string> = new Set(
  [entryPoint06Address, entryPoint07Address, entryPoint08Address].map((address) => address.toLowerCase())
)

export const isEntryPoint = (address: string): boolean => entryPoints.has(address.toLowerCase())

/**
 * Whether a frame calls an EntryPoint and may change state. A paymaster that lists bundlers checks `tx.origin`. An
 * operation that calls `handleOps` of another EntryPoint would pass this check for all operations inside that call.
 */
export const callsEntryPoint = (frame: CallFrame): boolean =>
  findFrame(frame, ({ to, type }) => type !== "STATICCALL" && to !== undefined && isEntryPoint(to)) !== undefined
