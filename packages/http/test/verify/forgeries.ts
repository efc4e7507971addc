import { Address, HexBytes } from "@countersign/core/foundation/primitives"
import type { UserOperation } from "@countersign/core/operations/user-operations"
import type { ProblemCode } from "@countersign/http/verify"
import { concatHex, encodeFunctionData, type Hex, numberToHex, pad, parseAbi, slice } from "viem"
import { NATIVE, USDC, WETH } from "../support/accounts.ts"
import { authorizationOf, type Changes, type ForgedCall } from "./forger.ts"
import { FRIEND, type HonestQuote, PARTNER } from "./honestQuotes.ts"

/**
 * An attack of a server on its caller. The verifier must report one of its codes. `changes` returns null for a quote
 * that the attack does not apply to.
 */
export interface Forgery {
  readonly name: string
  readonly codes: ReadonlyArray<ProblemCode>
  readonly changes: (honestQuote: HonestQuote) => Changes | null
}

const SWAP_ROUTER = "0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45"

export const ATTACKER = `0x${"bad0".repeat(10)}`

export const abi = parseAbi([
  "function transfer(address to, uint256 amount)",
  "function approve(address spender, uint256 amount)",
  "function increaseAllowance(address spender, uint256 amount)",
  "function transferFrom(address from, address to, uint256 amount)",
  "function setApprovalForAll(address operator, bool approved)",
  "function transferOwnership(address owner)",
  "function executeUserOpWithErrorString(address to, uint256 value, bytes data, uint8 operation)",
  "function multiSend(bytes transactions)"
])

const padWord = (value: string | bigint): string =>
  (typeof value === "bigint" ? numberToHex(value) : value).slice(2).toLowerCase().padStart(64, "0")

const buildCall = (to: string, data: string, value = 0n): ForgedCall => ({ to, data, value })

const approve = (token: string, spender: string, amount: bigint) =>
  buildCall(token, encodeFunctionData({ abi, functionName: "approve", args: [spender as Hex, amount] }))

const transfer = (token: string, to: string, amount: bigint) =>
  buildCall(token, encodeFunctionData({ abi, functionName: "transfer", args: [to as Hex, amount] }))

const addCall = (extraCall: ForgedCall): Changes => ({ calls: (calls) => [...calls, extraCall] })

const isApproval = ({ data }: ForgedCall) => data.startsWith("0x095ea7b3")
const isTransfer = ({ data }: ForgedCall) => data.startsWith("0xa9059cbb")

/** Replaces data of the calls that contain the text. Null if no call contains it. */
const replaceInCalls =
  (from: string, to: string, isMatch: (call: ForgedCall) => boolean = () => true) =>
  ({ quote }: HonestQuote): Changes | null => {
    const changeCall = (each: ForgedCall): ForgedCall =>
      isMatch(each) ? { ...each, data: each.data.replaceAll(from, to) } : each
    const hasMatch = quote.preview.calls.some(({ data, to: target }) => {
      const candidateCall = { data, to: target, value: 0n }
      return isMatch(candidateCall) && data.includes(from)
    })
    return hasMatch ? { calls: (calls) => calls.map(changeCall) } : null
  }

const changeOperation = (change: (operation: UserOperation) => UserOperation) => (): Changes => ({ operation: change })

const changePaymasterData =
  (start: number, end: number, value: bigint | string) =>
  ({ quote }: HonestQuote): Changes | null =>
    quote.userOperations.at(-1)!.paymaster === null
      ? null
      : {
          operation: (operation) => {
            const data = operation.paymaster!.data
            const changedWord = typeof value === "string" ? (value as Hex) : numberToHex(value, { size: end - start })
            return {
              ...operation,
              paymaster: {
                ...operation.paymaster!,
                data: HexBytes.make(concatHex([slice(data, 0, start), changedWord, slice(data, end)]))
              }
            }
          }
        }

const changeSafeCallData =
  (change: (callData: Hex) => Hex) =>
  ({ kind }: HonestQuote): Changes | null =>
    kind === "Safe 1.4.1"
      ? { operation: (operation) => ({ ...operation, callData: HexBytes.make(change(operation.callData)) }) }
      : null

/** Byte offset of `uint8 operation`, the fourth argument of the Safe's own call. */
const OPERATION_OFFSET = 4 + 3 * 32

const changeSwap = (
  honestQuote: HonestQuote,
  change: (swap: { minAmountOut: string; amountOut: string }) => object
): Changes => ({
  quote: (quote) =>
    honestQuote.quote.type === "SWAP"
      ? { ...quote, ...change(quote) }
      : {
          ...quote,
          operations: quote.operations.map((element: { type: string; swap: never }) =>
            element.type === "swap"
              ? { ...element, swap: { ...(element.swap as object), ...change(element.swap) } }
              : element
          )
        }
})

const hasSwap = ({ quote }: HonestQuote) => quote.type === "SWAP" || quote.type === "BATCH"

export const forgeries: ReadonlyArray<Forgery> = [
  {
    name: "a Safe's signature never expires",
    codes: ["wrong_deadline"],
    changes: ({ kind }) => (kind === "Safe 1.4.1" ? { operation: (each) => ({ ...each, validUntil: 0 }) } : null)
  },
  // Attacks that change the calls:
  {
    name: "a token goes to another account",
    codes: ["pays_somebody_else", "gives_too_little"],
    changes: replaceInCalls(padWord(FRIEND), padWord(ATTACKER))
  },
  {
    name: "the wallet's tokens go to another account",
    codes: ["pays_somebody_else"],
    changes: (honestQuote) => replaceInCalls(padWord(honestQuote.account.walletAddress), padWord(ATTACKER))(honestQuote)
  },
  {
    name: "native tokens go to another account",
    codes: ["pays_somebody_else"],
    changes: ({ quote }) =>
      quote.preview.calls.some(({ data }) => data === "0x")
        ? { calls: (calls) => calls.map((each) => (each.data === "0x" ? { ...each, to: ATTACKER } : each)) }
        : null
  },
  {
    name: "a call to the placeholder address of native tokens replaces their transfer",
    codes: ["gives_too_little", "unknown_call"],
    changes: ({ quote }) =>
      quote.preview.calls.some(({ data }) => data === "0x")
        ? {
            calls: (calls) => calls.map((each) => (each.data === "0x" ? transfer(NATIVE, each.to, each.value) : each))
          }
        : null
  },
  {
    name: "a token is sent in addition",
    codes: ["pays_somebody_else", "pays_too_much", "unknown_call"],
    changes: () => addCall(transfer(USDC, ATTACKER, 1n))
  },
  {
    name: "a token is sent to the right receiver in addition",
    codes: ["pays_too_much", "unknown_call", "pays_somebody_else"],
    changes: () => addCall(transfer(USDC, FRIEND, 1n))
  },
  {
    name: "native tokens are sent in addition",
    codes: ["pays_somebody_else"],
    changes: () => addCall(buildCall(ATTACKER, "0x", 1n))
  },
  {
    name: "native tokens are left in the token's contract",
    codes: ["pays_somebody_else"],
    changes: () => addCall(buildCall(USDC, "0x", 1n))
  },
  {
    name: "another token is sent",
    codes: ["unknown_call", "pays_somebody_else"],
    changes: () => addCall(transfer(`0x${"da1".padStart(40, "0")}`, ATTACKER, 1n))
  },
  {
    name: "another account gets an allowance",
    codes: ["unknown_spender", "unknown_call"],
    changes: () => addCall(approve(USDC, ATTACKER, 1n))
  },
  {
    name: "another account gets an allowance of zero",
    codes: ["unknown_spender", "unknown_call"],
    changes: () => addCall(approve(USDC, ATTACKER, 0n))
  },
  {
    name: "a router's allowance is larger than what it takes",
    codes: ["allowance_remains", "unknown_call"],
    changes: () => addCall(approve(USDC, SWAP_ROUTER, 1n))
  },
  {
    name: "a router's allowance is larger than what it takes, and the preview displays a lower amount",
    codes: ["wrong_preview"],
    changes: () => ({
      ...addCall(approve(USDC, SWAP_ROUTER, 2n)),
      quote: (quote) => {
        const allowance = { token: USDC, symbol: "USDC", spender: SWAP_ROUTER, spenderName: null, amount: "0.000001" }
        return { ...quote, preview: { ...quote.preview, allowances: [...quote.preview.allowances, allowance] } }
      }
    })
  },
  {
    name: "allowances are unlimited",
    codes: ["allowance_remains"],
    changes: ({ quote }) =>
      quote.preview.calls.some(({ data }) => data.startsWith("0x095ea7b3"))
        ? {
            calls: (calls) =>
              calls.map((each) =>
                isApproval(each) ? { ...each, data: `${each.data.slice(0, 74)}${"f".repeat(64)}` } : each
              )
          }
        : null
  },
  {
    name: "an allowance is increased by another function",
    codes: ["unknown_call"],
    changes: () =>
      addCall(
        buildCall(USDC, encodeFunctionData({ abi, functionName: "increaseAllowance", args: [ATTACKER as Hex, 1n] }))
      )
  },
  {
    name: "all NFTs are approved for another account",
    codes: ["unknown_call"],
    changes: () =>
      addCall(
        buildCall(WETH, encodeFunctionData({ abi, functionName: "setApprovalForAll", args: [ATTACKER as Hex, true] }))
      )
  },
  {
    name: "the wallet gets another owner",
    codes: ["unknown_call"],
    changes: ({ account }) =>
      addCall(
        buildCall(
          account.walletAddress,
          encodeFunctionData({ abi, functionName: "transferOwnership", args: [ATTACKER as Hex] })
        )
      )
  },
  {
    name: "the attacker's contract is called",
    codes: ["unknown_call"],
    changes: () => addCall(buildCall(ATTACKER, "0x12345678"))
  },
  {
    name: "a call has trailing bytes",
    codes: ["unreadable", "unknown_call"],
    changes: () => ({ calls: (calls) => calls.map((each) => ({ ...each, data: `${each.data}${"ab".repeat(32)}` })) })
  },
  {
    name: "a call is missing",
    codes: ["gives_too_little", "pays_too_little", "unknown_spender"],
    changes: ({ quote }) => (quote.preview.calls.length > 1 ? { calls: (calls) => calls.slice(0, -1) } : null)
  },
  {
    name: "the fee goes to another account",
    codes: ["pays_somebody_else"],
    changes: (honestQuote) =>
      replaceInCalls(padWord(honestQuote.trust.collectors![0]!), padWord(ATTACKER), isTransfer)(honestQuote)
  },
  {
    name: "the partner's fee goes to another account",
    codes: ["pays_somebody_else"],
    changes: replaceInCalls(padWord(PARTNER), padWord(ATTACKER), isTransfer)
  },
  {
    name: "a fee is larger",
    codes: ["pays_too_much"],
    changes: ({ quote, trust }) => {
      const collectorWord = padWord(trust.collectors![0]!)
      return quote.preview.calls.some(({ data }) => data.startsWith(`0xa9059cbb${collectorWord}`))
        ? {
            calls: (calls) =>
              calls.map((each) =>
                each.data.startsWith(`0xa9059cbb${collectorWord}`)
                  ? { ...each, data: `${each.data.slice(0, 74)}${padWord(BigInt(`0x${each.data.slice(74)}`) + 1n)}` }
                  : each
              )
          }
        : null
    }
  },
  // Attacks on swaps:
  {
    name: "the minimum of a swap is zero",
    codes: ["gives_too_little"],
    changes: (honestQuote) => {
      const decimals = honestQuote.name === "swap of native tokens, gas in native tokens" ? 6 : 18
      const quote = honestQuote.quote
      const minAmounts =
        quote.type === "SWAP"
          ? [quote.minAmountOut]
          : quote.type === "BATCH"
            ? quote.operations.flatMap((each) => (each.type === "swap" ? [each.swap.minAmountOut] : []))
            : []
      const [minAmount] = minAmounts
      if (minAmount === undefined) return null
      const [wholePart = "0", fraction = ""] = minAmount.split(".")
      const units = BigInt(wholePart + fraction.padEnd(decimals, "0"))
      return replaceInCalls(padWord(units), padWord(0n), ({ data }) => data.startsWith("0x5ae401dc"))(honestQuote)
    }
  },
  {
    name: "the quote promises less than slippage allows",
    codes: ["gives_too_little"],
    changes: (honestQuote) =>
      hasSwap(honestQuote) && honestQuote.name !== "wrapping for another receiver"
        ? changeSwap(honestQuote, ({ amountOut }) => ({ amountOut: `1${amountOut}` }))
        : null
  },
  {
    name: "the quote promises more than the calls enforce",
    codes: ["gives_too_little"],
    changes: (honestQuote) =>
      hasSwap(honestQuote) ? changeSwap(honestQuote, ({ amountOut }) => ({ minAmountOut: `1${amountOut}` })) : null
  },
  {
    name: "the swap has no deadline",
    codes: ["wrong_deadline"],
    changes: ({ quote }) =>
      quote.preview.calls.some(({ data }) => data.startsWith("0x5ae401dc"))
        ? {
            calls: (calls) =>
              calls.map((each) =>
                each.data.startsWith("0x5ae401dc")
                  ? { ...each, data: `0x5ae401dc${padWord(2n ** 40n)}${each.data.slice(74)}` }
                  : each
              )
          }
        : null
  },
  {
    name: "the swap's deadline has passed",
    codes: ["wrong_deadline"],
    changes: ({ quote }) =>
      quote.preview.calls.some(({ data }) => data.startsWith("0x5ae401dc"))
        ? {
            calls: (calls) =>
              calls.map((each) =>
                each.data.startsWith("0x5ae401dc")
                  ? { ...each, data: `0x5ae401dc${padWord(1n)}${each.data.slice(74)}` }
                  : each
              )
          }
        : null
  },
  // Attacks that change the fields of the operation:
  {
    name: "it is for another chain",
    codes: ["wrong_chain"],
    changes: changeOperation((operation) => ({ ...operation, chainId: 10 }))
  },
  {
    name: "it belongs to another wallet",
    codes: ["wrong_wallet"],
    changes: changeOperation((operation) => ({ ...operation, sender: Address.make(ATTACKER) }))
  },
  {
    name: "it is for another EntryPoint",
    codes: ["wrong_entry_point"],
    changes: changeOperation((operation) => ({ ...operation, entryPoint: Address.make(ATTACKER) }))
  },
  {
    name: "another operation must precede it",
    codes: ["wrong_nonce"],
    changes: changeOperation((operation) => ({ ...operation, nonce: operation.nonce + 1n }))
  },
  {
    name: "it has the shared nonce key zero",
    codes: ["wrong_nonce"],
    changes: changeOperation((operation) => ({ ...operation, nonce: 0n }))
  },
  {
    name: "it deploys another account",
    codes: ["wrong_deployment"],
    changes: changeOperation((operation) => ({
      ...operation,
      factory: Address.make(ATTACKER),
      factoryData: HexBytes.make("0x1234")
    }))
  },
  {
    name: "its factory is called with other arguments",
    codes: ["wrong_deployment"],
    changes: ({ quote }) =>
      quote.userOperations[0]!.factory === null
        ? null
        : {
            operation: (operation) => ({
              ...operation,
              factoryData: HexBytes.make(`${operation.factoryData ?? "0x"}00`)
            })
          }
  },
  {
    name: "gas costs a hundred times as much",
    codes: ["gas_too_high"],
    changes: changeOperation((operation) => ({ ...operation, maxFeePerGas: operation.maxFeePerGas * 100n }))
  },
  {
    name: "gas may take more than before",
    codes: ["gas_too_high"],
    changes: changeOperation((operation) => ({ ...operation, callGasLimit: operation.callGasLimit * 3n }))
  },
  {
    name: "the account is called by another function",
    codes: ["unreadable"],
    changes: changeOperation((operation) => ({
      ...operation,
      callData: HexBytes.make(`0xdeadbeef${operation.callData.slice(10)}`)
    }))
  },
  {
    name: "the account's call data has trailing bytes",
    codes: ["unreadable"],
    changes: changeOperation((operation) => ({
      ...operation,
      callData: HexBytes.make(`${operation.callData}${"00".repeat(32)}`)
    }))
  },
  {
    name: "the Safe's signature never expires",
    codes: ["wrong_deadline"],
    changes: ({ kind }) =>
      kind === "Safe 1.4.1" ? { operation: (operation) => ({ ...operation, validUntil: 2 ** 40 }) } : null
  },
  // Attacks on gas payment in tokens:
  {
    name: "another paymaster pays",
    codes: ["wrong_paymaster"],
    changes: ({ quote }) =>
      quote.userOperations[0]!.paymaster === null
        ? null
        : {
            operation: (operation) => ({
              ...operation,
              paymaster: { ...operation.paymaster!, address: Address.make(ATTACKER) }
            })
          }
  },
  {
    name: "another paymaster pays, and gets the allowance",
    codes: ["wrong_paymaster"],
    changes: (honestQuote) => {
      const { paymaster } = honestQuote.quote.userOperations[0]!
      const calls = paymaster === null ? null : replaceInCalls(padWord(paymaster), padWord(ATTACKER))(honestQuote)
      return calls === null
        ? null
        : {
            ...calls,
            operation: (operation) => ({
              ...operation,
              paymaster: { ...operation.paymaster!, address: Address.make(ATTACKER) }
            })
          }
    }
  },
  {
    name: "a paymaster is added to an operation that pays in native tokens",
    codes: ["wrong_paymaster"],
    changes: ({ quote, trust }) =>
      quote.userOperations[0]!.paymaster !== null
        ? null
        : {
            operation: (operation) => ({
              ...operation,
              paymaster: {
                address: Address.make(trust.paymasters![0]!),
                verificationGasLimit: 1n,
                postOpGasLimit: 1n,
                data: HexBytes.make("0x")
              }
            })
          }
  },
  {
    name: "the paymaster's rate is ten thousand times as high",
    codes: ["gas_too_high"],
    changes: changePaymasterData(50, 82, 10n ** 20n)
  },
  { name: "the paymaster takes another token", codes: ["wrong_paymaster"], changes: changePaymasterData(14, 34, WETH) },
  {
    name: "the paymaster charges unused gas",
    codes: ["gas_too_high"],
    changes: changePaymasterData(34, 50, 10n ** 9n)
  },
  { name: "the paymaster has another mode", codes: ["unreadable"], changes: changePaymasterData(0, 1, 1n) },
  {
    name: "the paymaster's offer never expires",
    codes: ["wrong_deadline"],
    changes: changePaymasterData(2, 8, 2n ** 40n)
  },
  {
    name: "the paymaster's data has unknown fields",
    codes: ["unreadable"],
    changes: changePaymasterData(118, 118, `0x${"00".repeat(20)}`)
  },
  // Attacks on Safe accounts:
  {
    name: "a contract's code would run by DELEGATECALL from the Safe",
    codes: ["unreadable"],
    changes: changeSafeCallData(() =>
      encodeFunctionData({
        abi,
        functionName: "executeUserOpWithErrorString",
        args: [ATTACKER as Hex, 0n, "0x12345678", 1]
      })
    )
  },
  {
    name: "another contract replaces MultiSend",
    codes: ["unreadable"],
    changes: (honestQuote) =>
      honestQuote.quote.preview.calls.length > 1
        ? changeSafeCallData(
            (data) => data.replace("38869bf66a61cf6bdb996a6ae40d5853fd43b526", ATTACKER.slice(2)) as Hex
          )(honestQuote)
        : null
  },
  {
    name: "one call of the Safe's batch is a DELEGATECALL",
    codes: ["unreadable"],
    changes: changeSafeCallData(() => {
      const entry = concatHex(["0x01", ATTACKER as Hex, pad("0x0"), pad("0x4"), "0x12345678"])
      const batch = encodeFunctionData({ abi, functionName: "multiSend", args: [entry] })
      return encodeFunctionData({
        abi,
        functionName: "executeUserOpWithErrorString",
        args: ["0x38869bf66a61cf6bdb996a6ae40d5853fd43b526", 0n, batch, 1]
      })
    })
  },
  {
    name: "the Safe's batch is a CALL instead of a DELEGATECALL",
    codes: ["unknown_call", "unreadable"],
    changes: (honestQuote) =>
      honestQuote.quote.preview.calls.length > 1
        ? changeSafeCallData((data) =>
            concatHex([slice(data, 0, OPERATION_OFFSET), pad("0x0"), slice(data, OPERATION_OFFSET + 32)])
          )(honestQuote)
        : null
  },
  // Attacks on EIP-7702 accounts:
  {
    name: "the owner's address delegates to other code",
    codes: ["wrong_delegate"],
    changes: ({ quote }) =>
      quote.authorization === undefined
        ? null
        : {
            operation: (operation) => ({
              ...operation,
              authorization: authorizationOf(1, ATTACKER, operation.authorization!.nonce)
            })
          }
  },
  {
    name: "the authorization is valid on every chain",
    codes: ["wrong_chain"],
    changes: ({ quote }) =>
      quote.authorization === undefined
        ? null
        : {
            operation: (operation) => ({
              ...operation,
              authorization: authorizationOf(0, operation.authorization!.address, operation.authorization!.nonce)
            })
          }
  },
  {
    name: "an unnecessary authorization is requested",
    codes: ["wrong_signing"],
    changes: ({ quote }) =>
      quote.authorization === undefined
        ? { quote: (quoteBefore) => ({ ...quoteBefore, authorization: authorizationOf(1, ATTACKER, 0) }) }
        : null
  },
  // Signed data that differs from the displayed data:
  {
    name: "another hash is to be signed",
    codes: ["wrong_hash"],
    changes: () => ({
      quote: (quote) => ({
        ...quote,
        signData: [{ ...quote.signData[0], hash: `0x${"66".repeat(32)}` }, ...quote.signData.slice(1)]
      })
    })
  },
  {
    name: "another hash is to be executed",
    codes: ["wrong_hash"],
    changes: () => ({ quote: (quote) => ({ ...quote, userOperationHash: `0x${"66".repeat(32)}` }) })
  },
  {
    name: "the quote shows the operation with another hash",
    codes: ["wrong_hash"],
    changes: () => ({
      quote: (quote) => ({
        ...quote,
        userOperations: [{ ...quote.userOperations[0], userOperationHash: `0x${"66".repeat(32)}` }]
      })
    })
  },
  {
    name: "the typed data belongs to another operation, with the hash of this one",
    codes: ["wrong_signing"],
    changes: ({ quote }) =>
      quote.signData[0]!.method === "eth_signTypedData_v4"
        ? {
            quote: (quoteBefore) => {
              const [firstElement, ...others] = quoteBefore.signData
              const message = { ...firstElement.typedData.message, callData: "0x1234" }
              return {
                ...quoteBefore,
                signData: [{ ...firstElement, typedData: { ...firstElement.typedData, message } }, ...others]
              }
            }
          }
        : null
  },
  {
    name: "the typed data is for another contract",
    codes: ["wrong_signing"],
    changes: ({ quote }) =>
      quote.signData[0]!.method === "eth_signTypedData_v4"
        ? {
            quote: (quoteBefore) => {
              const [firstElement, ...others] = quoteBefore.signData
              const domain = { ...firstElement.typedData.domain, verifyingContract: ATTACKER }
              return {
                ...quoteBefore,
                signData: [{ ...firstElement, typedData: { ...firstElement.typedData, domain } }, ...others]
              }
            }
          }
        : null
  },
  {
    name: "the typed data has other types",
    codes: ["wrong_signing"],
    changes: ({ quote }) =>
      quote.signData[0]!.method === "eth_signTypedData_v4"
        ? {
            quote: (quoteBefore) => {
              const [firstElement, ...others] = quoteBefore.signData
              const types = { ...firstElement.typedData.types, EIP712Domain: [{ name: "name", type: "string" }] }
              return {
                ...quoteBefore,
                signData: [{ ...firstElement, typedData: { ...firstElement.typedData, types } }, ...others]
              }
            }
          }
        : null
  },
  {
    name: "the hash is signed by another method",
    codes: ["wrong_signing"],
    changes: () => ({
      quote: (quote) => {
        const [{ typedData: _, ...firstElement }, ...others] = quote.signData
        return { ...quote, signData: [{ ...firstElement, method: "eip7702_authorization" }, ...others] }
      }
    })
  },
  {
    name: "an additional element is signed",
    codes: ["wrong_signing"],
    changes: () => ({
      quote: (quote) => ({
        ...quote,
        signData: [...quote.signData, { type: "USER_OPERATION", method: "personal_sign", hash: `0x${"66".repeat(32)}` }]
      })
    })
  },
  {
    name: "an additional authorization is signed",
    codes: ["wrong_signing"],
    changes: () => ({
      quote: (quote) => {
        const authorization = authorizationOf(1, ATTACKER, 0)
        const element = {
          type: "AUTHORIZATION",
          method: "eip7702_authorization",
          hash: authorization.hash,
          authorization
        }
        return { ...quote, signData: [...quote.signData, element] }
      }
    })
  },
  {
    name: "an additional operation is signed",
    codes: ["wrong_nonce", "wrong_signing"],
    changes: () => ({
      quote: (quote) => ({ ...quote, userOperations: [...quote.userOperations, ...quote.userOperations] })
    })
  },
  {
    name: "the preview shows nothing",
    codes: ["wrong_preview"],
    changes: () => ({ quote: (quote) => ({ ...quote, preview: { ...quote.preview, calls: [] } }) })
  },
  {
    name: "the preview shows other data",
    codes: ["wrong_preview"],
    changes: () => ({
      quote: (quote) => ({
        ...quote,
        preview: { ...quote.preview, calls: quote.preview.calls.map((each: object) => ({ ...each, data: "0x12" })) }
      })
    })
  },
  {
    name: "the quote repeats another amount, or another receiver",
    codes: ["wrong_echo"],
    changes: ({ quote }) =>
      quote.type === "SWAP" || quote.type === "TRANSFER"
        ? { quote: (quoteBefore) => ({ ...quoteBefore, toAddress: ATTACKER, amountIn: "1", amount: "1" }) }
        : null
  },
  // Malformed quotes:
  {
    name: "it has no operation",
    codes: ["unreadable"],
    changes: () => ({ quote: (quote) => ({ ...quote, userOperations: [] }) })
  },
  {
    name: "its operation is null",
    codes: ["unreadable"],
    changes: () => ({ quote: ({ userOperations: _, ...quote }) => quote })
  },
  {
    name: "its numbers are malformed",
    codes: ["unreadable"],
    changes: () => ({
      quote: (quote) => ({ ...quote, userOperations: [{ ...quote.userOperations[0], nonce: "0x1", callGasLimit: -1 }] })
    })
  },
  {
    name: "it is of another kind",
    codes: ["unreadable"],
    changes: () => ({ quote: (quote) => ({ ...quote, type: "LIMIT_ORDER" }) })
  },
  {
    name: "its fields are of other types",
    codes: ["unreadable"],
    changes: () => ({ quote: () => ({ type: "SWAP", userOperations: 7 }) })
  }
]
