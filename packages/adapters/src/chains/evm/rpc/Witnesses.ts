import type { AskNode } from "./nodeAnswers.ts"

/** A single node of a chain. */
export interface Witness {
  /** Host name and port, because the rest of the URL may be a secret. */
  readonly name: string
  /** Fails with `JsonRpcError` or `HostFailure`. */
  readonly request: AskNode
}

/** The nodes of a chain that must agree before a fact is final. */
export interface Witnesses {
  readonly nodes: ReadonlyArray<Witness>
  /** How many nodes must agree: two, if the chain has two. Nodes that are down or far behind for long do not count. */
  readonly required: number
}

/** Sends the same request to every node. Nodes that fail are ignored. */
export const askEach = async <A>(
  { nodes }: Witnesses,
  ask: (node: Witness) => Promise<A>
): Promise<ReadonlyArray<A>> => {
  const answers = await Promise.allSettled(nodes.map(ask))
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []))
}
