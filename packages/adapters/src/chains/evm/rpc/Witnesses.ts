import type { NodeRequest } from "./nodeResponses.ts"

/** A single node of a chain. */
export interface Witness {
  /** Host name and port. The rest of the URL may be a secret. */
  readonly name: string
  /** Sends a request. Fails with `JsonRpcError` or `HostFailure`. */
  readonly request: NodeRequest
}

/** The nodes of a chain that must agree before a fact is treated as certain. */
export interface Witnesses {
  readonly nodes: ReadonlyArray<Witness>
  /**
   * Number of nodes that must agree: two, or one if the chain has only one. Nodes that have been down or far behind for
   * a long time do not count.
   */
  readonly required: number
}

/** Sends the same request to every node. Ignores nodes that fail. */
export const requestFromEach = async <A>(
  { nodes }: Witnesses,
  send: (node: Witness) => Promise<A>
): Promise<ReadonlyArray<A>> => {
  const responses = await Promise.allSettled(nodes.map(send))
  return responses.flatMap((response) => (response.status === "fulfilled" ? [response.value] : []))
}
