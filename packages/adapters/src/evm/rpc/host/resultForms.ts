type Form = (result: unknown) => boolean

const isQuantity: Form = (result) => typeof result === "string" && /^0x[0-9a-f]{1,64}$/iu.test(result)
const isData: Form = (result) => typeof result === "string" && /^0x(?:[0-9a-f]{2})*$/iu.test(result)
const isHash: Form = (result) => typeof result === "string" && /^0x[0-9a-f]{64}$/iu.test(result)
const isList: Form = (result) => Array.isArray(result)
const isObject: Form = (result) => typeof result === "object" && result !== null && !Array.isArray(result)
const isObjectOrNull: Form = (result) => result === null || isObject(result)

const forms: Readonly<Record<string, Form>> = {
  debug_traceCall: isObject,
  eth_blockNumber: isQuantity,
  eth_call: isData,
  eth_chainId: isQuantity,
  eth_feeHistory: isObject,
  eth_gasPrice: isQuantity,
  eth_getBalance: isQuantity,
  eth_getBlockByHash: isObjectOrNull,
  eth_getBlockByNumber: isObjectOrNull,
  eth_getCode: isData,
  eth_getLogs: isList,
  eth_getTransactionByHash: isObjectOrNull,
  eth_getTransactionCount: isQuantity,
  eth_getTransactionReceipt: isObjectOrNull,
  eth_maxPriorityFeePerGas: isQuantity,
  eth_sendRawTransaction: isHash
}

/** Whether the result has the form of the method's answers. A host that answers anything else can't be trusted. */
export const hasFormOf = (method: string, result: unknown): boolean => forms[method]?.(result) ?? true
