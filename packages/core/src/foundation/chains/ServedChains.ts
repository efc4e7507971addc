import { Context, Effect } from "effect"
import { BadRequest } from "../errors/index.ts"
import { ChainId, chainOf } from "./Chain.ts"

/** The chains that requests may use. */
export interface ServedChains {
  readonly ids: () => ReadonlyArray<ChainId>
  /** Returns the name of the operator's setting that adds the chain. Null if no setting adds it. */
  readonly settingOf: (id: ChainId) => string | null
}

/** The served chains. Default: all chains. */
export const ServedChains = Context.Reference<ServedChains>("@countersign/core/chains/ServedChains", {
  defaultValue: () => ({ ids: () => ChainId.literals, settingOf: () => null })
})

const chainText = (id: ChainId): string => `${chainOf(id).name} (${id})`

/** Rejects a request with chains that are not served. */
export const requireServed =
  ({ ids, settingOf }: ServedChains) =>
  (fields: Readonly<Record<string, ChainId>>): Effect.Effect<void, BadRequest> => {
    const servedIds = ids()
    const problems = Object.entries(fields).flatMap(([path, id]) => {
      if (servedIds.includes(id)) return []
      const setting = settingOf(id)
      const remedy = setting === null ? "This version has no setting for it." : `The operator adds it with ${setting}.`
      const message = `${chainText(id)} is not served here. Served: ${servedIds.map(chainText).join(", ") || "no chain"}. ${remedy}`
      return [{ path, code: "chain_not_served", message }]
    })
    const [first, ...others] = problems
    return first === undefined ? Effect.void : Effect.fail(new BadRequest({ problems: [first, ...others] }))
  }
