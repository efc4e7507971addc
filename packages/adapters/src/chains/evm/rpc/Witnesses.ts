import type { AskNode } from "./nodeAnswers.ts"

/** One node of a chain, asked by itself. */
export interface Witness {
  /** Host name and port: the rest of its URL may be a secret. */
  readonly name: string
  /** Fails with `JsonRpcError` or `HostFailure`. */
  readonly request: AskNode
}

/** The nodes of a chain that are asked before something is believed for good. */
export interface Witnesses {
  readonly nodes: ReadonlyArray<Witness>
  /**
   * How many of them have to agree: two, where the chain has two. One that has been down, or far behind, for some time is
   * not waited for.
   */
  readonly required: number
}

/** Asks every node the same. One that does not answer says nothing. */
export const askEach = async <A>(
  { nodes }: Witnesses,
  ask: (node: Witness) => Promise<A>
): Promise<ReadonlyArray<A>> => {
  const answers = await Promise.allSettled(nodes.map(ask))
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []))
}
