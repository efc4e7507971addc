import { functions } from "./abi.ts"
import type { Call } from "./accounts.ts"
import { type EnterCall, enterArrival } from "./arrivals.ts"
import { type Bytes, sizeOf, Unreadable } from "./bytes.ts"
import { ZERO } from "./contracts.ts"
import type { Ledger } from "./ledger.ts"
import { hex, type List, number } from "./routerWords.ts"
import { type SpokePool, spokePools, tokenElsewhere } from "./spokePools.ts"

/** Less is too short for relayers, and more than the pools take. */
const LEAST_FILL_SECONDS = 1_800n
const MOST_FILL_SECONDS = 21_600n

/** Relayers give a token for itself alone: a deposit for another is never filled. */
export const isSameAsset = (chainId: number, bridge: SpokePool, input: Bytes, output: Bytes): boolean =>
  Object.entries(bridge.tokens).some(
    ([asset, token]) => token === input && spokePools[chainId]?.tokens[asset] === output
  )

const deposit = (ledger: Ledger, bridge: SpokePool, value: bigint, args: List, enter: EnterCall): void => {
  const [depositor, recipient, input, output] = args.slice(0, 4).map(hex)
  const [inputAmount, outputAmount, destination] = args.slice(4, 7).map(number)
  const [relayer, fillSeconds, exclusive, message] = [hex(args[7]), number(args[8]), number(args[9]), hex(args[10])]
  const chainId = Number(destination)
  if (depositor !== ledger.wallet)
    ledger.report("pays_somebody_else", `What is not filled would be paid back to ${depositor}.`)
  if (relayer !== ZERO || exclusive !== 0n)
    ledger.report("unknown_call", `Only the relayer ${relayer} could fill the deposit for a while.`)
  if (fillSeconds! < LEAST_FILL_SECONDS || fillSeconds! > MOST_FILL_SECONDS)
    ledger.report("wrong_deadline", `A deposit could be filled for ${fillSeconds} seconds.`)
  if (!isSameAsset(chainId, bridge, input!, output!))
    ledger.report("gives_too_little", `No relayer gives ${output} of chain ${chainId} for ${input}.`)
  if (value === 0n) ledger.pull(input!, bridge.pool, inputAmount!, "ALLOWANCE")
  else if (input === ledger.wrapped && value === inputAmount) ledger.sendWith(value)
  else throw new Unreadable("a deposit sends another amount of coin than it says")
  if (message === "0x") ledger.arrive(tokenElsewhere(chainId, output!), recipient!, outputAmount!, "EXACTLY")
  else enterArrival(ledger, { chainId, handler: recipient!, token: output!, amount: outputAmount!, message }, enter)
}

const readDeposit = functions({
  "depositV3Now(address,address,address,address,uint256,uint256,uint256,address,uint32,uint32,bytes)": deposit
})

/** A mark, and the two bytes of who has made the deposit, after all that the contract reads. */
const SIGNED_BY = /1dc0de[\da-f]{4}$/u

const withoutSignature = (data: Bytes): Bytes =>
  sizeOf(data) % 32 === 9 ? (data.replace(SIGNED_BY, "") as Bytes) : data

/** Enters a deposit for another chain; false where the call is none. */
export const enterBridgeCall = (
  ledger: Ledger,
  bridge: SpokePool,
  { data, value }: Call,
  enter: EnterCall
): boolean => {
  const found = readDeposit(withoutSignature(data))
  if (found === null) return false
  found.known(ledger, bridge, value, found.args, enter)
  return true
}
