import { BroadcastRefused } from "@countersign/core/bitcoin/chain"

/** Error codes of Bitcoin Core's `sendrawtransaction` that are verdicts about the transaction. */
const DESERIALIZATION_ERROR = -22
const VERIFY_ERROR = -25
const VERIFY_REJECTED = -26
const ALREADY_IN_CHAIN = -27

const MAX_REASON = 300

const CONFLICT_MESSAGES =
  /txn-mempool-conflict|insufficient fee|missingorspent|missing inputs|spends-conflicting|replacement/iu
const POLICY_MESSAGES =
  /min relay fee|mempool min fee|mempool full|too-long-mempool-chain|non-final|non-BIP68|premature-spend|max-?fee|exceeds maximum|scriptpubkey|datacarrier|dust|tx-size|multi-op-return|bare-multisig|nonstandard/iu

const kindOrNull = (code: number, reason: string): BroadcastRefused["kind"] | null => {
  if (code === ALREADY_IN_CHAIN || /already-known|already in block chain|already in utxo set/iu.test(reason))
    return "KNOWN"
  if (code === DESERIALIZATION_ERROR) return "INVALID"
  if (code !== VERIFY_ERROR && code !== VERIFY_REJECTED) return null
  if (CONFLICT_MESSAGES.test(reason)) return "TAKEN"
  return POLICY_MESSAGES.test(reason) ? "POLICY" : "INVALID"
}

/**
 * Classifies Bitcoin Core's reason for rejecting a transaction. Null if the node failed without a verdict about the
 * transaction, for example while it starts (-28).
 */
export const broadcastRefusalOrNull = (code: number, message: string): BroadcastRefused | null => {
  const reason = message.slice(0, MAX_REASON)
  const kind = kindOrNull(code, reason)
  return kind === null ? null : new BroadcastRefused({ reason, kind })
}

/** Whether a transaction with the same id is already in the mempool, which is not a rejection. */
export const isAlreadyInMempool = ({ reason }: BroadcastRefused): boolean =>
  /txn-already-in-mempool|txn-same-nonwitness-data-in-mempool/u.test(reason)

/** The types of rejections, from the least to the most final. If servers disagree, the least final one counts. */
const kindsByFinality: ReadonlyArray<BroadcastRefused["kind"]> = ["KNOWN", "UNDECIDED", "POLICY", "TAKEN", "INVALID"]

/**
 * Returns the rejection of a transaction that none of the servers accepted: the least final one. It is UNDECIDED if a
 * server has not responded, unless the transaction is in a block or conflicts with another one.
 */
export const leastFinalRefusal = (
  refusals: ReadonlyArray<BroadcastRefused>,
  servers: number
): BroadcastRefused | undefined => {
  const [refusal] = [...refusals].sort((a, b) => kindsByFinality.indexOf(a.kind) - kindsByFinality.indexOf(b.kind))
  return (refusal?.kind === "POLICY" || refusal?.kind === "INVALID") && refusals.length < servers
    ? new BroadcastRefused({ reason: refusal.reason, kind: "UNDECIDED" })
    : refusal
}
