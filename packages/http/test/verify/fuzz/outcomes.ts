import {
  createTestClient,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  parseAbi,
  publicActions,
  slice,
  walletActions
} from "viem"
import { NATIVE, USDC, WETH } from "../../support/accounts.ts"
import type { TestService } from "../../support/testService.ts"
import { ATTACKER } from "../forgeries.ts"
import { LINK, WBTC } from "../honestLiquidity.ts"
import { FRIEND, type HonestQuote, PARTNER } from "../honestQuotes.ts"
import { PERMIT2, ROUTER_02, UNIVERSAL } from "./variants.ts"

/**
 * Determines the on-chain outcome of an operation. The EntryPoint's address calls the wallet, on a state that is
 * discarded.
 */

const AAVE = "0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2"
const MORPHO = "0xbbbbbbbbbb9cc5e90e3b3af64bdaf62c37eeffcb"
const MANAGER = "0xc36442b4a4522e871399cd717abdd847ab11fe88"
const aaveAbi = parseAbi([
  "function getUserAccountData(address user) view returns (uint256 collateral, uint256 debt, uint256 available, uint256 threshold, uint256 ltv, uint256 healthFactor)"
])
const permit2Abi = parseAbi([
  "function allowance(address user, address token, address spender) view returns (uint160 amount, uint48 expiration, uint48 nonce)"
])

const loanCallOf = (wallet: Hex): Hex =>
  encodeFunctionData({ abi: aaveAbi, functionName: "getUserAccountData", args: [wallet] })

const MAKER: Hex = `0x${"a11ce".padEnd(40, "7")}`
const TOKENS = [USDC, WETH, LINK, WBTC] as ReadonlyArray<Hex>
const SPENDERS = [UNIVERSAL, ROUTER_02, PERMIT2, ATTACKER, FRIEND, PARTNER, AAVE, MORPHO, MANAGER] as ReadonlyArray<Hex>

/**
 * Amounts by name. Higher is better in `gains`. Higher is worse in `gasEntries`, which contains allowances, debts and
 * balances of others.
 */
export interface Outcome {
  readonly gains: ReadonlyMap<string, bigint>
  readonly gasEntries: ReadonlyMap<string, bigint>
}

const MULTICALL3 = "0xca11bde05977b3631167028862be2a173976ca11"
const multicallAbi = parseAbi([
  "struct Read { address target; bool allowFailure; bytes callData; }",
  "function aggregate3(Read[] reads) payable returns ((bool success, bytes returnData)[])",
  "function getEthBalance(address holder) view returns (uint256)"
])

/** A call, and the index of the word in its result that contains the number. Default: the first word. */
interface Reading {
  readonly name: string
  readonly target: Hex
  readonly callData: Hex
  readonly word?: number
}

const balanceReadingsOf = (holder: Hex): ReadonlyArray<Reading> => [
  {
    name: `${holder} ${NATIVE}`,
    target: MULTICALL3,
    callData: encodeFunctionData({ abi: multicallAbi, functionName: "getEthBalance", args: [holder] })
  },
  ...[...TOKENS, MANAGER as Hex].map((target) => ({
    name: `${holder} ${target}`,
    target,
    callData: encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [holder] })
  }))
]

const allowanceReadingsOf = (wallet: Hex): ReadonlyArray<Reading> =>
  SPENDERS.flatMap((spender) =>
    TOKENS.flatMap((token) => [
      {
        name: `${token} for ${spender}`,
        target: token,
        callData: encodeFunctionData({ abi: erc20Abi, functionName: "allowance", args: [wallet, spender] })
      },
      {
        name: `${token} for ${spender} by Permit2`,
        target: PERMIT2 as Hex,
        callData: encodeFunctionData({ abi: permit2Abi, functionName: "allowance", args: [wallet, token, spender] })
      }
    ])
  )

const OTHER_ADDRESSES = [ATTACKER, UNIVERSAL, ROUTER_02, ...["1", "2"].map((each) => `0x${each.padStart(40, "0")}`)]

export const makeChain = (service: TestService, treasury: string) => {
  const transport = http(service.chains.rpcUrl(1))
  const node = createTestClient({ mode: "anvil", transport, cacheTime: 0 }).extend(publicActions).extend(walletActions)

  /** Deploys the wallet's account, as its first operation would. */
  const deploy = async ({ account, quote }: HonestQuote): Promise<void> => {
    const address = account.walletAddress as Hex
    const { factory, factoryData } = quote.userOperations[0]!
    if (factory === null || ((await node.getCode({ address })) ?? "0x") !== "0x") return
    if (factory === "0x7702") await node.setCode({ address, bytecode: `0xef0100${account.factory.slice(2)}` as Hex })
    else {
      const maker = MAKER
      await node.setBalance({ address: maker, value: 10n ** 20n })
      await node.impersonateAccount({ address: maker })
      const call = { account: maker, chain: null, to: factory as Hex, data: factoryData as Hex, gas: 3_000_000n }
      await node.waitForTransactionReceipt({ hash: await node.sendTransaction(call), pollingInterval: 10 })
    }
  }

  /**
   * Returns the outcome of a wallet's operation. If `callData` is null, returns the state before. Null if the operation
   * reverts.
   */
  const outcomeOf = async (wallet: Hex, entryPoint: Hex, callData: Hex | null): Promise<Outcome | null> => {
    const gainReadings = [
      ...[wallet, FRIEND, PARTNER, treasury].flatMap((holder) => balanceReadingsOf(holder as Hex)),
      { name: "collateral", target: AAVE as Hex, callData: loanCallOf(wallet), word: 0 }
    ]
    const lossReadings = [
      ...OTHER_ADDRESSES.flatMap((holder) => balanceReadingsOf(holder as Hex)),
      ...allowanceReadingsOf(wallet),
      { name: "debt", target: AAVE as Hex, callData: loanCallOf(wallet), word: 1 }
    ]
    const multicallReads = [...gainReadings, ...lossReadings].map((read) => ({
      target: read.target,
      allowFailure: false,
      callData: read.callData
    }))
    const readCall = {
      from: MAKER,
      to: MULTICALL3,
      data: encodeFunctionData({ abi: multicallAbi, functionName: "aggregate3", args: [multicallReads] })
    }
    const operation = { from: entryPoint, to: wallet, data: callData, gas: "0x1312d00" }
    const calls = callData === null ? [readCall] : [operation, readCall]
    const stateOverrides = { [entryPoint]: { balance: "0x3635c9adc5dea00000" } }
    // biome-ignore lint/suspicious/noExplicitAny: the client has no types for this method.
    const [block] = await (node.request as any)({
      method: "eth_simulateV1",
      params: [{ blockStateCalls: [{ calls, stateOverrides }], validation: false }, "latest"]
    })
    if (callData !== null && block.calls[0].status !== "0x1") return null
    const data = block.calls.at(-1).returnData as Hex
    const responses = decodeFunctionResult({ abi: multicallAbi, functionName: "aggregate3", data })
    const readings = [...gainReadings, ...lossReadings].map(({ name, word = 0 }: Reading, i) => {
      const response = responses[i]!.returnData
      return [name, BigInt(slice(response, word * 32, word * 32 + 32))] as const
    })
    return {
      gains: new Map(readings.slice(0, gainReadings.length)),
      gasEntries: new Map(readings.slice(gainReadings.length))
    }
  }

  return { deploy, outcomeOf }
}

/**
 * Returns the tolerance: 1 % of a change plus two units, because the slippage makes minimums lower than the expected
 * amounts.
 */
const toleranceOf = (change: bigint): bigint => (change < 0n ? -change : change) / 100n + 2n

/** Adds native and wrapped native tokens of a holder, because unwrapped dust that a router returns is not lost. */
const gainWithNativeTokenOf = ({ gains }: Outcome, name: string): bigint => {
  const [holder, token] = name.split(" ")
  return gains.get(name)! + (token === WETH ? gains.get(`${holder} ${NATIVE}`)! : 0n)
}

/** Returns in what respects the variant is worse than the honest operation, beyond slippage. Empty if it is not. */
export const harmsOf = (
  outcomeBefore: Outcome,
  honestOutcome: Outcome,
  variantOutcome: Outcome
): ReadonlyArray<string> => [
  ...[...honestOutcome.gains.keys()].flatMap((name) => {
    const amount = gainWithNativeTokenOf(honestOutcome, name)
    const tolerance = toleranceOf(amount - gainWithNativeTokenOf(outcomeBefore, name))
    const variantAmount = gainWithNativeTokenOf(variantOutcome, name)
    return variantAmount < amount - tolerance ? [`${name}: ${variantAmount} < ${amount}`] : []
  }),
  ...[...honestOutcome.gasEntries].flatMap(([name, amount]) => {
    const tolerance = toleranceOf(amount - outcomeBefore.gasEntries.get(name)!)
    return variantOutcome.gasEntries.get(name)! > amount + tolerance
      ? [`${name}: ${variantOutcome.gasEntries.get(name)} > ${amount}`]
      : []
  })
]
