import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { OperatorTransaction } from "@countersign/core/operations/operator"
import { Effect } from "effect"
import type { RpcClients } from "../RpcClients.ts"
import { jsonRpcErrorIn } from "../rpc/JsonRpcError.ts"
import { requestFromEach } from "../rpc/Witnesses.ts"

/**
 * - Accepted: a node has the transaction.
 * - Overtaken: another transaction has used its nonce.
 * - Refused: a node rejects it for another reason.
 * - Unanswered: the result is unknown.
 */
export type Broadcast =
  | { readonly _tag: "Accepted" | "Overtaken" }
  | { readonly _tag: "Refused" | "Unanswered"; readonly thrown: unknown }

/** Error messages of geth, reth, Erigon, Nethermind and anvil. */
const ALREADY_KNOWN_ERROR = /already known|already imported|known transaction/iu
const NONCE_TAKEN_ERROR =
  /nonce (?:is )?too low|replacement transaction underpriced|transaction underpriced to replace/iu

const isKnownTo = async (rpc: RpcClients["Service"], { chainId, hash }: OperatorTransaction): Promise<boolean> => {
  const existingTransaction = await rpc.client(chainId).request({ method: "eth_getTransactionByHash", params: [hash] })
  return existingTransaction !== null
}

const outcomeOf = async (
  rpc: RpcClients["Service"],
  transaction: OperatorTransaction,
  thrown: unknown
): Promise<Broadcast> => {
  const error = jsonRpcErrorIn(thrown)
  if (error === null) return { _tag: "Unanswered", thrown }
  if (ALREADY_KNOWN_ERROR.test(error.shortMessage)) return { _tag: "Accepted" }
  if (!NONCE_TAKEN_ERROR.test(error.shortMessage)) return { _tag: "Refused", thrown }
  // An attempt whose response was lost may have succeeded. If so, this transaction itself has used the nonce.
  return { _tag: (await isKnownTo(rpc, transaction)) ? "Accepted" : "Overtaken" }
}

/** Broadcasts a transaction through the chain's nodes. Never fails. */
export const broadcast = (rpc: RpcClients["Service"], transaction: OperatorTransaction): Effect.Effect<Broadcast> =>
  Effect.promise(async (): Promise<Broadcast> => {
    const { chainId, raw } = transaction
    try {
      await send(rpc, chainId, raw)
      return { _tag: "Accepted" }
    } catch (thrown) {
      return outcomeOf(rpc, transaction, thrown).catch((unanswered: unknown) => ({
        _tag: "Unanswered",
        thrown: unanswered
      }))
    }
  })

const send = (rpc: RpcClients["Service"], chainId: EvmChainId, raw: OperatorTransaction["raw"]) =>
  rpc.client(chainId).request({ method: "eth_sendRawTransaction", params: [raw] })

/**
 * Broadcasts a transaction through the nodes that are not normally used. The usual node may have accepted the
 * transaction without propagating it to other nodes.
 */
export const broadcastToOthers = (rpc: RpcClients["Service"], transaction: OperatorTransaction): Effect.Effect<void> =>
  Effect.promise(async () => {
    const { nodes, required } = rpc.witnesses(transaction.chainId)
    const params = [transaction.raw]
    await requestFromEach({ nodes: nodes.slice(1), required }, ({ request }) =>
      request("eth_sendRawTransaction", params)
    )
  })
