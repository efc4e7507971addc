import { type AbiValue, encodeCall, makeCallDecoder } from "./abi.ts"
import { address, type Bytes, bytes, numberIn, sizeOf, slice, Unreadable } from "./bytes.ts"
import { entryPoints, safe, ZERO } from "./contracts.ts"
import { hash07, type Operation, packedTypedData, safeOpTypedData } from "./operations.ts"
import type { KnownAccount } from "./shapes.ts"
import { type TypedData, typedDataHash } from "./typedData.ts"

/** A call that the account executes. */
export interface Call {
  readonly to: Bytes
  readonly value: bigint
  readonly data: Bytes
}

/** The data that the owner signs to authorize an operation. */
export interface Signing {
  readonly method: "personal_sign" | "eth_signTypedData_v4"
  readonly hash: Bytes
  readonly typedData: TypedData | null
}

/** The properties of an account implementation that do not depend on the request. */
export interface AccountKind {
  readonly entryPoint: Bytes
  readonly entryPointVersion: string
  readonly delegate: Bytes | null
  /** Whether the signature covers `validUntil`, and the account enforces it. */
  readonly signsValidity: boolean
  readonly hash: (operation: Operation) => Bytes
  readonly signing: (operation: Operation) => Signing
  /**
   * How the account authorizes limit orders. EIP712: a signature of the owner. SAFE: a Safe message. PRESIGN: an
   * on-chain call.
   */
  readonly orderSigning: "EIP712" | "SAFE" | "PRESIGN"
  /** Returns the only valid calldata with which the factory deploys this owner's account. */
  readonly factoryData: (account: KnownAccount) => Bytes
  readonly calls: (callData: Bytes) => ReadonlyArray<Call>
}

type List = ReadonlyArray<AbiValue>
type Calls = (args: List) => ReadonlyArray<Call>

const callOf = ([to, value, data]: List): Call => ({ to: to as Bytes, value: value as bigint, data: data as Bytes })

const refuse = (message: string): never => {
  throw new Unreadable(message)
}

const execute: Readonly<Record<string, Calls>> = { "execute(address,uint256,bytes)": (args) => [callOf(args)] }

const batch07: Calls = (args) => {
  const [targets, values, data] = args as ReadonlyArray<List>
  const isSameLength = data!.length === targets!.length && (values!.length === 0 || values!.length === targets!.length)
  if (!isSameLength) refuse("the lists of the account's batch call have different lengths")
  return targets!.map((to, i) => callOf([to, values![i] ?? 0n, data![i]!]))
}

/** Builds a decoder of an account's calls from its functions that execute calls. */
const makeCallsDecoder = (account: string, bySignature: Readonly<Record<string, Calls>>) => {
  const decodeCall = makeCallDecoder(bySignature)
  return (callData: Bytes): ReadonlyArray<Call> => {
    const { args, definition } = decodeCall(callData) ?? refuse(`the called function of ${account} is unknown`)
    return definition(args)
  }
}

const calls07 = makeCallsDecoder("the account", { ...execute, "executeBatch(address[],uint256[],bytes[])": batch07 })
const calls08 = makeCallsDecoder("the account", {
  ...execute,
  "executeBatch((address,uint256,bytes)[])": ([calls]) => (calls as ReadonlyArray<List>).map(callOf)
})

/** Decodes the packed calls of Safe's MultiSend: uint8 operation ‖ address ‖ uint256 value ‖ uint256 length ‖ bytes. */
const multiSendCalls = (packed: Bytes): ReadonlyArray<Call> => {
  const calls: Array<Call> = []
  for (let offset = 0; offset < sizeOf(packed); ) {
    const length = numberIn(slice(packed, offset + 53, offset + 85))
    if (length > BigInt(sizeOf(packed))) refuse("a call in the Safe's batch is longer than the batch")
    if (slice(packed, offset, offset + 1) !== "0x00")
      refuse("the Safe would execute a contract's code in its own context (delegatecall)")
    const end = offset + 85 + Number(length)
    calls.push({
      to: slice(packed, offset + 1, offset + 21),
      value: numberIn(slice(packed, offset + 21, offset + 53)),
      data: slice(packed, offset + 85, end)
    })
    offset = end
  }
  return calls
}

const readMultiSend = makeCallDecoder({ "multiSend(bytes)": ([packed]: List) => multiSendCalls(packed as Bytes) })

const safeExecute: Calls = (args) => {
  const call = callOf(args)
  if (args[3] === 0n) return [call]
  const isBatch = args[3] === 1n && call.to === safe.multiSend && call.value === 0n
  const batch =
    (isBatch ? readMultiSend(call.data) : null) ??
    refuse("the Safe would execute a contract's code in its own context (delegatecall)")
  return batch.definition(batch.args)
}

const safeCalls = makeCallsDecoder("the Safe", {
  "executeUserOp(address,uint256,bytes,uint8)": safeExecute,
  "executeUserOpWithErrorString(address,uint256,bytes,uint8)": safeExecute
})

const simpleFactoryData = ({ externallyOwnedAccount, salt }: KnownAccount): Bytes =>
  encodeCall("createAccount(address,uint256)", address(externallyOwnedAccount), BigInt(salt))

/** Encodes the deployment of a Safe with one owner, threshold 1, and the 4337 module as module and fallback handler. */
const safeFactoryData = ({ externallyOwnedAccount, salt }: KnownAccount): Bytes => {
  const setup = encodeCall(
    "setup(address[],uint256,address,bytes,address,address,uint256,address)",
    [address(externallyOwnedAccount)],
    1n,
    safe.moduleSetup,
    encodeCall("enableModules(address[])", [safe.module]),
    safe.module,
    ZERO,
    0n,
    ZERO
  )
  return encodeCall("createProxyWithNonce(address,bytes,uint256)", safe.singleton, setup, BigInt(salt))
}

const typedDataSigning = (typedData: TypedData): Signing => ({
  method: "eth_signTypedData_v4",
  hash: typedDataHash(typedData),
  typedData
})

/** Caches a value per operation, because several checks compare it. */
const memoizeByOperation = <A extends Bytes | Signing>(compute: (operation: Operation) => A) => {
  const values = new WeakMap<Operation, A>()
  return (operation: Operation): A => {
    const value = values.get(operation) ?? compute(operation)
    values.set(operation, value)
    return value
  }
}

const version07 = {
  entryPoint: entryPoints["0.7"],
  entryPointVersion: "0.7",
  delegate: null,
  signsValidity: false,
  orderSigning: "PRESIGN" as const,
  hash: memoizeByOperation(hash07)
}

const version08 = (delegate: Bytes | null) => {
  const signing = memoizeByOperation((operation) => typedDataSigning(packedTypedData(operation, delegate)))
  return {
    entryPoint: entryPoints["0.8"],
    entryPointVersion: "0.8",
    delegate,
    signsValidity: false,
    // The operation's hash is the digest of its typed data.
    hash: (operation: Operation) => signing(operation).hash,
    signing,
    calls: calls08
  }
}

const SIMPLE_7702: Bytes = "0xe6cae83bde06e4c305530e199d7217f42808555b"

/** Account implementations by factory address, or by delegate address for EIP-7702 accounts. */
const kinds: Readonly<Record<Bytes, AccountKind>> = {
  "0x91e60e0613810449d098b0b5ec8b51a0fe8c8985": {
    ...version07,
    signing: (operation) => ({ method: "personal_sign", hash: version07.hash(operation), typedData: null }),
    factoryData: simpleFactoryData,
    calls: calls07
  },
  "0x13e9ed32155810fdbd067d4522c492d6f68e5944": {
    ...version08(null),
    orderSigning: "PRESIGN",
    factoryData: simpleFactoryData
  },
  "0x4e1dcf7ad4e460cfd30791ccc4f9c8a4f820ec67": {
    ...version07,
    signsValidity: true,
    orderSigning: "SAFE" as const,
    signing: memoizeByOperation((operation) => typedDataSigning(safeOpTypedData(operation))),
    factoryData: safeFactoryData,
    calls: safeCalls
  },
  [SIMPLE_7702]: { ...version08(SIMPLE_7702), orderSigning: "EIP712", factoryData: () => "0x" }
}

export const kindOf = ({ factory }: KnownAccount): AccountKind | null => kinds[bytes(factory)] ?? null
