import type { Hex, RpcLog } from "viem"
import * as form from "./forms.ts"

/** A log. Its block fields are null while its transaction is pending. Some nodes do not return the block time. */
export type LogResponse = Pick<
  RpcLog,
  "address" | "topics" | "data" | "blockNumber" | "blockHash" | "transactionHash" | "logIndex" | "blockTimestamp"
>

export interface ReceiptResponse {
  readonly transactionHash: Hex
  readonly blockNumber: Hex
  readonly blockHash: Hex
  /** 0x0 if the transaction reverted. */
  readonly status: Hex
  readonly gasUsed: Hex
  readonly effectiveGasPrice: Hex
  /** Sender. On OP Stack rollups the receipt also contains the fee for posting data to the parent chain. */
  readonly from?: Hex | undefined
  readonly l1Fee?: Hex | null | undefined
  readonly logs: ReadonlyArray<LogResponse>
}

/** A block with its transactions, or only their hashes. The pending block has no hash, and on some nodes no number. */
export interface BlockResponse {
  readonly number: Hex | null
  readonly hash: Hex | null
  readonly parentHash?: Hex | undefined
  readonly timestamp: Hex
  readonly transactions: ReadonlyArray<unknown>
}

export interface FeeHistoryResponse {
  readonly oldestBlock: Hex
  readonly gasUsedRatio: ReadonlyArray<unknown>
  readonly baseFeePerGas: ReadonlyArray<Hex>
  readonly reward?: ReadonlyArray<ReadonlyArray<Hex>> | null | undefined
}

export interface ProofResponse {
  readonly codeHash: Hex
  readonly storageProof: ReadonlyArray<{ readonly value: Hex }>
}

/** A log in the format of geth's callTracer with `withLog`. */
export interface TracedLog {
  readonly address: Hex
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
  /** Number of the frame's calls that had started before the log. */
  readonly position?: Hex | number | undefined
}

/** The result of one simulated call in a response of `eth_simulateV1`. */
export interface SimulatedCall {
  readonly returnData: Hex
  readonly logs: ReadonlyArray<TracedLog>
  readonly gasUsed: Hex
  /** 0x0 if the call reverted. */
  readonly status: Hex
  readonly error?: { readonly message: string } | null | undefined
}

export interface SimulatedBlock {
  readonly calls: ReadonlyArray<SimulatedCall>
}

/** A frame of geth's callTracer. */
export interface CallFrame {
  readonly type: string
  readonly from: Hex
  readonly to?: Hex | undefined
  readonly value?: Hex | undefined
  readonly gasUsed: Hex
  readonly input: Hex
  readonly output?: Hex | undefined
  /** Present if the frame reverted or ran out of gas. */
  readonly error?: string | undefined
  readonly calls?: ReadonlyArray<CallFrame> | undefined
  readonly logs?: ReadonlyArray<TracedLog> | undefined
}

/** A transaction in geth's trace of a block by callTracer. Older versions omit its hash. */
export interface TracedTransaction {
  readonly txHash?: Hex | undefined
  /** Missing if the node could not trace this transaction, for example because it took too long. */
  readonly result?: CallFrame | undefined
  readonly error?: string | undefined
}

/**
 * A call of a transaction in OpenEthereum's `trace_block` format: a flat list, with the position of each call in the
 * call tree.
 */
export interface FlatTrace {
  readonly type: string
  readonly action: {
    readonly from?: Hex | undefined
    readonly to?: Hex | undefined
    readonly value?: Hex | undefined
    readonly callType?: string | undefined
    readonly address?: Hex | undefined
    readonly refundAddress?: Hex | undefined
    readonly balance?: Hex | undefined
  }
  readonly result?: { readonly address?: Hex | undefined } | null | undefined
  readonly error?: string | undefined
  readonly traceAddress: ReadonlyArray<number>
  /** Null for a block reward. */
  readonly transactionHash?: Hex | null | undefined
}

/** An account in the result of geth's `prestateTracer`. */
export interface TracedAccount {
  readonly balance?: Hex | undefined
  readonly nonce?: number | undefined
  readonly code?: Hex | undefined
  readonly storage?: Readonly<Record<string, Hex>> | undefined
}

/** The result of geth's `prestateTracer` in `diffMode`. */
export interface TracedChanges {
  readonly pre: Readonly<Record<string, TracedAccount>>
  readonly post: Readonly<Record<string, TracedAccount>>
}

const topics = form.listOf(form.hash)

const log = form.objectOf<LogResponse>({
  address: form.address,
  topics: (value): value is LogResponse["topics"] => topics(value),
  data: form.data,
  blockNumber: form.orNull(form.count),
  blockHash: form.orNull(form.hash),
  transactionHash: form.orNull(form.hash),
  logIndex: form.orNull(form.count),
  blockTimestamp: form.orMissing(form.orNull(form.seconds))
})

const receipt = form.objectOf<ReceiptResponse>({
  transactionHash: form.hash,
  blockNumber: form.count,
  blockHash: form.hash,
  status: form.count,
  gasUsed: form.count,
  effectiveGasPrice: form.gasPrice,
  from: form.orMissing(form.address),
  l1Fee: form.orMissing(form.orNull(form.quantity)),
  logs: form.listOf(log)
})

const block = form.objectOf<BlockResponse>({
  number: form.orNull(form.count),
  hash: form.orNull(form.hash),
  parentHash: form.orMissing(form.hash),
  timestamp: form.seconds,
  transactions: form.listOf(form.anyValue)
})

const index: form.Form<number> = (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0

const tracedLog = form.objectOf<TracedLog>({
  address: form.address,
  topics,
  data: form.data,
  position: form.orMissing((value): value is Hex | number => form.count(value) || index(value))
})

const callFrame: form.Form<CallFrame> = form.objectOf<CallFrame>({
  type: form.text,
  from: form.address,
  to: form.orMissing(form.address),
  value: form.orMissing(form.quantity),
  gasUsed: form.count,
  input: form.data,
  output: form.orMissing(form.data),
  error: form.orMissing(form.text),
  calls: form.orMissing((value): value is ReadonlyArray<CallFrame> => Array.isArray(value) && value.every(callFrame)),
  logs: form.orMissing(form.listOf(tracedLog))
})

const tracedTransaction = form.objectOf<TracedTransaction>({
  txHash: form.orMissing(form.hash),
  result: form.orMissing(callFrame),
  error: form.orMissing(form.text)
})

const flatTrace = form.objectOf<FlatTrace>({
  type: form.text,
  action: form.objectOf<FlatTrace["action"]>({
    from: form.orMissing(form.address),
    to: form.orMissing(form.address),
    value: form.orMissing(form.quantity),
    callType: form.orMissing(form.text),
    address: form.orMissing(form.address),
    refundAddress: form.orMissing(form.address),
    balance: form.orMissing(form.quantity)
  }),
  result: form.orMissing(form.orNull(form.objectOf({ address: form.orMissing(form.address) }))),
  error: form.orMissing(form.text),
  traceAddress: form.listOf(index),
  transactionHash: form.orMissing(form.orNull(form.hash))
})

const tracedAccounts = form.recordOf(
  form.objectOf<TracedAccount>({
    balance: form.orMissing(form.quantity),
    nonce: form.orMissing(index),
    code: form.orMissing(form.data),
    storage: form.orMissing(form.recordOf(form.hash))
  })
)
const tracedChanges = form.objectOf<TracedChanges>({ pre: tracedAccounts, post: tracedAccounts })

/** Results of a node by method, with the fields that the service uses. */
interface NodeResponses {
  readonly debug_traceBlockByNumber: ReadonlyArray<TracedTransaction>
  readonly eth_blockNumber: Hex
  readonly eth_call: Hex
  readonly eth_chainId: Hex
  readonly eth_feeHistory: FeeHistoryResponse
  readonly eth_getBlockByHash: BlockResponse | null
  readonly eth_getBlockByNumber: BlockResponse | null
  readonly eth_getCode: Hex
  readonly eth_getBalance: Hex
  readonly eth_getLogs: ReadonlyArray<LogResponse>
  readonly eth_getProof: ProofResponse
  readonly eth_getTransactionByHash: object | null
  readonly eth_getTransactionCount: Hex
  readonly eth_getTransactionReceipt: ReceiptResponse | null
  readonly eth_maxPriorityFeePerGas: Hex
  readonly eth_sendRawTransaction: Hex
  readonly eth_simulateV1: ReadonlyArray<SimulatedBlock>
  readonly trace_block: ReadonlyArray<FlatTrace>
}

const responseFormats: { readonly [M in keyof NodeResponses]: form.Form<NodeResponses[M]> } = {
  debug_traceBlockByNumber: form.listOf(
    (value): value is TracedTransaction =>
      tracedTransaction(value) && (value.result !== undefined || value.error !== undefined)
  ),
  eth_blockNumber: form.count,
  eth_call: form.data,
  eth_chainId: form.quantity,
  eth_feeHistory: form.objectOf<FeeHistoryResponse>({
    oldestBlock: form.count,
    gasUsedRatio: form.listOf(form.anyValue),
    baseFeePerGas: form.listOf(form.gasPrice),
    reward: form.orMissing(form.orNull(form.listOf(form.listOf(form.gasPrice))))
  }),
  eth_getBlockByHash: form.orNull(block),
  eth_getBlockByNumber: form.orNull(block),
  eth_getCode: form.data,
  eth_getBalance: form.quantity,
  eth_getLogs: form.listOf(log),
  eth_getProof: form.objectOf<ProofResponse>({
    codeHash: form.hash,
    storageProof: form.listOf(form.objectOf({ value: form.quantity }))
  }),
  eth_getTransactionByHash: form.orNull(form.objectOf({})),
  eth_getTransactionCount: form.count,
  eth_getTransactionReceipt: form.orNull(receipt),
  eth_maxPriorityFeePerGas: form.gasPrice,
  eth_sendRawTransaction: form.hash,
  eth_simulateV1: form.listOf(
    form.objectOf<SimulatedBlock>({
      calls: form.listOf(
        form.objectOf<SimulatedCall>({
          returnData: form.data,
          logs: form.listOf(tracedLog),
          gasUsed: form.count,
          status: form.count,
          error: form.orMissing(form.orNull(form.objectOf<{ readonly message: string }>({ message: form.text })))
        })
      )
    })
  ),
  trace_block: form.listOf(flatTrace)
}

/** Result formats by the tracer's name in the last request parameter. */
const tracers: Readonly<Record<string, form.Form<unknown>>> = { callTracer: callFrame, prestateTracer: tracedChanges }

const tracerOf = (params: unknown): string => {
  const options: unknown = Array.isArray(params) ? params.at(-1) : null
  return String(Object(options).tracer)
}

type TraceMethod = "debug_traceCall" | "debug_traceTransaction"

const traceMethods: ReadonlySet<string> = new Set<TraceMethod>(["debug_traceCall", "debug_traceTransaction"])
const blockTraceMethods: ReadonlySet<string> = new Set<keyof NodeResponses>(["debug_traceBlockByNumber", "trace_block"])

/** Whether a method re-executes transactions. Its response may be large, and nodes need not support it. */
export const isTrace = (method: string): boolean => traceMethods.has(method) || blockTraceMethods.has(method)

/** The result type of a method; for traces, the result type of the requested tracer. */
export type ResponseTo<M extends string, P> = M extends TraceMethod
  ? P extends readonly [...ReadonlyArray<unknown>, { readonly tracer: "prestateTracer" }]
    ? TracedChanges
    : CallFrame
  : M extends keyof NodeResponses
    ? NodeResponses[M]
    : unknown

/** Sends one JSON-RPC request and validates the result. */
export type NodeRequest = <const M extends string, const P extends ReadonlyArray<unknown>>(
  method: M,
  params: P
) => Promise<ResponseTo<M, P>>

/** One value, or several alternatives. Null and an empty list match any value. */
type Alternatives = string | ReadonlyArray<string> | null

/**
 * The fields of a log filter with which responses are compared. A tag such as `latest` does not limit the block range.
 */
interface LogFilter {
  readonly address?: Alternatives
  readonly topics?: ReadonlyArray<Alternatives>
  readonly fromBlock?: string
  readonly toBlock?: string
  readonly blockHash?: string
}

const matcherOf = (alternatives: Alternatives = null): ((value: string | null | undefined) => boolean) => {
  const values = new Set([alternatives ?? []].flat().map((value) => value.toLowerCase()))
  return (value) => values.size === 0 || (value != null && values.has(value.toLowerCase()))
}

const blockOrNull = (text: string | undefined): number | null => (text?.startsWith("0x") === true ? Number(text) : null)

/** Whether all logs match the filter. Events of other contracts would prove operations that never happened. */
const areWithinFilter = (params: unknown, logs: ReadonlyArray<LogResponse>): boolean => {
  const [filter = {}] = params as ReadonlyArray<LogFilter | undefined>
  const [first, last] = [blockOrNull(filter.fromBlock) ?? 0, blockOrNull(filter.toBlock) ?? Number.POSITIVE_INFINITY]
  const [isAddress, isBlock] = [matcherOf(filter.address), matcherOf(filter.blockHash)]
  const areTopics = (filter.topics ?? []).map((alternatives) => matcherOf(alternatives))
  return logs.every(({ address, blockHash, blockNumber, topics }) => {
    const block = blockNumber === null ? first : Number(blockNumber)
    return (
      isAddress(address) &&
      isBlock(blockHash) &&
      areTopics.every((isTopic, i) => isTopic(topics[i])) &&
      block >= first &&
      block <= last
    )
  })
}

/**
 * Whether a result has the format of the request's method and matches its filter. If not, the host can't be trusted.
 */
export const hasFormOf = (method: string, params: unknown, result: unknown): boolean => {
  const isValid: form.Form<unknown> | undefined = traceMethods.has(method)
    ? tracers[tracerOf(params)]
    : (responseFormats as Readonly<Record<string, form.Form<unknown>>>)[method]
  if (isValid?.(result) === false) return false
  return method !== "eth_getLogs" || areWithinFilter(params, result as ReadonlyArray<LogResponse>)
}
