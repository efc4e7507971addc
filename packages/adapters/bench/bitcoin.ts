import { createHash } from "node:crypto"
import * as secp256k1 from "@bitcoinerlab/secp256k1"
import {
  BitcoinTransactions,
  type Output,
  type SpendableKind,
  selectCoins,
  transactionWeight
} from "@countersign/core/bitcoin/chain"
import { Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import { p2pkh, p2sh, p2tr, p2wpkh, Transaction as ScureTransaction, selectUTXO } from "@scure/btc-signer"
import { Transaction } from "bitcoinjs-lib"
import { Effect, Result } from "effect"
import { BitcoinjsTransactions } from "../src/chains/bitcoin/index.ts"

/**
 * Compares coin selection with that of `@scure/btc-signer`, and verifies mutated signed transactions. Run it with `npm
 * run bench:bitcoin -w packages/adapters`. SELECTIONS, SIGNED and MUTANTS set the numbers.
 */
const SELECTIONS = Number(process.env.SELECTIONS ?? 10_000)
const SIGNED = Number(process.env.SIGNED ?? 400)
const MUTANTS = Number(process.env.MUTANTS ?? 48_000)

const KEY = new Uint8Array(createHash("sha256").update("a key of benchmarks").digest())
const publicKey = secp256k1.pointFromScalar(KEY)!
const payments = {
  P2PKH: p2pkh(publicKey),
  P2SH_P2WPKH: p2sh(p2wpkh(publicKey)),
  P2WPKH: p2wpkh(publicKey),
  P2TR: p2tr(publicKey.subarray(1))
} as const
const kinds = Object.keys(payments) as ReadonlyArray<SpendableKind>
const port = Effect.runSync(Effect.provide(BitcoinTransactions, BitcoinjsTransactions.layer))

/**
 * State of a pseudo-random generator (Park and Miller). The seed is constant, so that each run uses the same numbers.
 */
let state = 20_261
const random = (): number => {
  state = (state * 48_271) % 2_147_483_647
  return state / 2_147_483_647
}
const randomBetween = (min: number, max: number): number => min + Math.floor(random() * (max - min + 1))
const hex = (bytes: Uint8Array): HexBytes => HexBytes.make(`0x${Buffer.from(bytes).toString("hex")}`)
const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.slice(2), "hex"))

const LONG_TERM = 10_000n
const receiver = hex(payments.P2WPKH.script)

/** Returns up to several hundred UTXOs, most of them small, and a payment of less than their sum. */
const wallet = (kind: SpendableKind) => {
  const coins = Array.from({ length: randomBetween(1, 200) }, (_, index) => ({
    index,
    value: BigInt(Math.floor(10 ** (3 + 5 * random())))
  }))
  const total = coins.reduce((sum, { value }) => sum + value, 0n)
  const amount = (total * BigInt(randomBetween(1, 60))) / 100n
  return {
    coins,
    amount,
    kind,
    feeRate: BigInt(randomBetween(1, 80)) * 1_000n,
    changeScript: hex(payments[kind].script)
  }
}
type Wallet = ReturnType<typeof wallet>

const selectOurs = ({ amount, changeScript, coins, feeRate, kind }: Wallet) =>
  selectCoins(
    coins,
    {
      kind,
      outputs: [{ script: receiver, value: amount }],
      changeScript,
      feeRate,
      longTermFeeRate: LONG_TERM,
      feeFrom: "WALLET"
    },
    random
  )

/** Returns the key data that a signer adds to a PSBT. */
const keysOf = (kind: SpendableKind) => ({
  ...(kind === "P2SH_P2WPKH" ? { redeemScript: payments.P2SH_P2WPKH.redeemScript! } : {}),
  ...(kind === "P2TR" ? { tapInternalKey: payments.P2TR.tapInternalKey! } : {})
})

const inputOf = (kind: SpendableKind, { index, value }: Wallet["coins"][number]) => ({
  txid: new Uint8Array(32).fill(7),
  index,
  witnessUtxo: { amount: value, script: payments[kind].script },
  ...keysOf(kind)
})

/** Computes the waste of a selection in the same way for both implementations. */
const wasteOf = ({ feeRate, kind }: Wallet, inputs: number, outputs: number, fee: bigint): bigint => {
  const scripts = Array.from({ length: outputs }, () => ({ bytes: 22 }))
  const empty = BigInt(transactionWeight(kind, 0, scripts.slice(0, 1))) * feeRate
  const inputWeight = BigInt(transactionWeight(kind, 1, []) - transactionWeight(kind, 0, []))
  const laterInputFees = (BigInt(inputs) * inputWeight * LONG_TERM) / 4_000n
  const changeSpendingFee = outputs > 1 ? (inputWeight * LONG_TERM) / 4_000n : 0n
  return fee - empty / 4_000n - laterInputFees + changeSpendingFee
}

const selectWithScure = (request: Wallet) => {
  const { amount, coins, feeRate, kind } = request
  return selectUTXO(
    coins.map((coin) => inputOf(kind, coin)),
    [{ script: payments.P2WPKH.script, amount }],
    "default",
    { feePerByte: feeRate / 1_000n, changeAddress: payments[kind].address!, allowLegacyWitnessUtxo: true, bip69: false }
  )
}

const OPTIONS = { allowLegacyWitnessUtxo: true } as const

const signTransaction = (
  kind: SpendableKind,
  inputs: ReadonlyArray<Wallet["coins"][number]>,
  outputs: ReadonlyArray<Output>
) => {
  const txid = Hash32.make(`0x${"07".repeat(32)}`)
  const script = hex(payments[kind].script)
  const previous = inputs.map(({ index, value }) => ({ txid, vout: index, value, script }))
  const { psbt, txid: id } = port.buildPsbt({ inputs: previous, outputs })
  const transaction = ScureTransaction.fromPSBT(bytesOf(psbt), OPTIONS)
  for (const i of inputs.keys()) {
    transaction.updateInput(i, keysOf(kind))
    transaction.signIdx(KEY, i)
  }
  transaction.finalize()
  return { bytes: hex(transaction.extract()), txid: id, previous }
}

const selections = () => {
  const sum = { selected: 0, both: 0, ourWaste: 0n, theirWaste: 0n, ourFee: 0n, theirFee: 0n, signed: 0 }
  let lowest = Number.POSITIVE_INFINITY
  let ourMs = 0
  for (let i = 0; i < SELECTIONS; i++) {
    const request = wallet(kinds[i % kinds.length]!)
    const startMs = performance.now()
    const ourSelection = selectOurs(request)
    ourMs += performance.now() - startMs
    if (ourSelection === null) continue
    sum.selected += 1
    const scureSelection = selectWithScure(request)
    if (scureSelection !== undefined) {
      const fee = scureSelection.fee!
      sum.both += 1
      sum.ourFee += ourSelection.fee
      sum.theirFee += fee
      sum.ourWaste += wasteOf(request, ourSelection.utxos.length, ourSelection.change > 0n ? 2 : 1, ourSelection.fee)
      sum.theirWaste += wasteOf(request, scureSelection.inputs.length, scureSelection.change ? 2 : 1, fee)
    }
    const virtual = Math.ceil(ourSelection.weight / 4)
    lowest = Math.min(lowest, Number((ourSelection.fee * 1_000_000n) / (BigInt(virtual) * request.feeRate)) / 1_000)
    if (sum.signed >= SIGNED || ourSelection.utxos.length > 20) continue
    const outputs =
      ourSelection.change > 0n
        ? [...ourSelection.outputs, { script: request.changeScript, value: ourSelection.change }]
        : ourSelection.outputs
    const signedTransaction = Transaction.fromHex(
      signTransaction(request.kind, ourSelection.utxos, outputs).bytes.slice(2)
    )
    if (signedTransaction.weight() > ourSelection.weight)
      throw new Error("a signed transaction has more than the computed weight")
    sum.signed += 1
  }
  const average = (total: bigint) => Number(total / BigInt(Math.max(1, sum.both)))
  console.log(
    `coin selection: ${sum.selected} of ${SELECTIONS} possible, ${(ourMs / SELECTIONS).toFixed(2)} ms each; lowest ratio of the paid to the requested rate ${lowest.toFixed(3)}; ${sum.signed} signed, none above the computed weight`
  )
  console.log(
    `  of ${sum.both} that both found, average waste ${average(sum.ourWaste)} and @scure/btc-signer ${average(sum.theirWaste)} sat; average fee ${average(sum.ourFee)} and ${average(sum.theirFee)} sat`
  )
}

/** Flips bits, removes or inserts bytes, or inserts parts of another signed transaction. */
const mutate = (original: Uint8Array, other: Uint8Array, i: number): Uint8Array => {
  const index = randomBetween(0, original.length - 1)
  if (i % 3 === 0) {
    const mutant = Uint8Array.from(original)
    mutant[index] = mutant[index]! ^ (1 << randomBetween(0, 7))
    return mutant
  }
  const start = randomBetween(0, other.length - 1)
  const replacement =
    i % 3 === 1
      ? Array.from({ length: randomBetween(0, 4) }, () => randomBetween(0, 255))
      : other.subarray(start, start + randomBetween(1, 40))
  return Uint8Array.from([
    ...original.subarray(0, index),
    ...replacement,
    ...original.subarray(index + randomBetween(0, i % 3 === 1 ? 4 : replacement.length))
  ])
}

const mutants = () => {
  const outputs = [
    { script: receiver, value: 50_000n },
    { script: hex(payments.P2TR.script), value: 100_000n }
  ]
  const codes = new Map<string, number>()
  for (const kind of kinds) {
    const [one, other] = [1, 2].map((first) =>
      signTransaction(
        kind,
        [0, 1].map((i) => ({ index: first * 2 + i, value: 80_000n })),
        outputs
      )
    )
    const maxWeight = transactionWeight(
      kind,
      2,
      outputs.map(({ script }) => ({ bytes: script.length / 2 - 1 }))
    )
    const expected = { txid: one!.txid, inputs: one!.previous, maxWeight }
    if (Result.isFailure(port.verifySigned(one!.bytes, expected))) throw new Error("the original is rejected")
    const [bytes, foreign] = [bytesOf(one!.bytes), bytesOf(other!.bytes)]
    for (let i = 0; i < MUTANTS / kinds.length; i++) {
      const mutant = mutate(bytes, foreign, i)
      if (Buffer.compare(mutant, bytes) === 0) continue
      const code = Result.match(port.verifySigned(hex(mutant), expected), {
        onSuccess: () => "ACCEPTED",
        onFailure: (refusal) => refusal.code
      })
      codes.set(code, (codes.get(code) ?? 0) + 1)
    }
  }
  const total = [...codes.values()].reduce((sum, count) => sum + count, 0)
  console.log(
    `${total} mutated transactions, ${codes.get("ACCEPTED") ?? 0} accepted: ${JSON.stringify(Object.fromEntries(codes))}`
  )
}

selections()
mutants()
