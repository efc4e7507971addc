import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as secp256k1 from "@bitcoinerlab/secp256k1"
import { BitcoinChain, type BitcoinTransaction, BitcoinTransactions, type Utxo } from "@countersign/core/bitcoin/chain"
import { bitcoinChainContract } from "@countersign/core/contracts/bitcoin/chain/BitcoinChain"
import { BitcoinAddress, type HexBytes } from "@countersign/core/foundation/primitives"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { crypto as hashes, Psbt, payments, type Signer } from "bitcoinjs-lib"
import { Effect } from "effect"
import { bytesOf, hashOf, hexOf } from "../../src/chains/bitcoin/bytes.ts"
import { BitcoinjsTransactions, EsploraChain } from "../../src/chains/bitcoin/index.ts"
import { addressToScript } from "../../src/chains/bitcoin/readAddress.ts"
import { bitcoinPageOrNull } from "../explorer/bitcoinPage.ts"
import { SandboxClock } from "../network/SandboxClock.ts"
import type { BitcoinKey } from "./bitcoinKeys.ts"
import { SandboxBitcoin } from "./SandboxBitcoin.ts"

const NEVER_MS = 2_000_000_000
const home = mkdtempSync(join(tmpdir(), "countersign-bitcoin-"))
const sandbox = new SandboxBitcoin(home, new SandboxClock(home), NEVER_MS)
afterAll(async () => {
  await sandbox.close()
  rmSync(home, { recursive: true, force: true })
})

const OTHER = BitcoinAddress.make("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2")
const keyOf = (kind: BitcoinKey["kind"]) => sandbox.wallets.find((wallet) => wallet.kind === kind)!

const onChain = async <A, E>(use: (chain: BitcoinChain["Service"]) => Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(
    Effect.provide(BitcoinChain.use(use), EsploraChain.layer({ urls: [await sandbox.ownUrl()], timeoutMs: 60_000 }))
  )

const { buildPsbt: unsigned } = Effect.runSync(
  Effect.provide(Effect.service(BitcoinTransactions), BitcoinjsTransactions.layer)
)

const signerOf = (privateKey: Uint8Array): Signer => ({
  publicKey: secp256k1.pointFromScalar(privateKey, true)!,
  sign: (hash) => secp256k1.sign(hash, privateKey)
})

/** Creates a signer for a taproot output without scripts. */
const tweakedSigner = (privateKey: Uint8Array) => {
  const publicKey = secp256k1.pointFromScalar(privateKey, true)!
  const evenKey = publicKey[0] === 3 ? secp256k1.privateNegate(privateKey) : privateKey
  const tweakedKey = secp256k1.privateAdd(evenKey, hashes.taggedHash("TapTweak", publicKey.slice(1)))!
  return {
    publicKey: secp256k1.pointFromScalar(tweakedKey, true)!,
    sign: () => new Uint8Array(64),
    signSchnorr: (hash: Uint8Array) => secp256k1.signSchnorr(hash, tweakedKey)
  }
}

/** Builds and signs a payment that spends one UTXO with this fee. The change returns to the wallet. */
const makePayment = async (key: BitcoinKey, utxo: Utxo, paidAmount: bigint, fee: bigint, to = OTHER) => {
  const transaction = await onChain((chain) => chain.findTransactionBytes(utxo.txid))
  const psbt = Psbt.fromBuffer(
    bytesOf(
      unsigned({
        inputs: [{ ...utxo, ...(key.kind === "P2PKH" ? { transaction: transaction! } : {}) }],
        outputs: [
          { script: addressToScript(to), value: paidAmount },
          { script: addressToScript(key.address), value: utxo.value - paidAmount - fee }
        ]
      }).psbt
    )
  )
  const privateKey = bytesOf(key.privateKey)
  const { publicKey } = signerOf(privateKey)
  if (key.kind === "P2SH_P2WPKH") psbt.updateInput(0, { redeemScript: payments.p2wpkh({ pubkey: publicKey }).output! })
  if (key.kind === "P2TR") psbt.updateInput(0, { tapInternalKey: publicKey.slice(1) })
  psbt.signInput(0, key.kind === "P2TR" ? tweakedSigner(privateKey) : signerOf(privateKey))
  psbt.finalizeAllInputs()
  const signedTransaction = psbt.extractTransaction(true)
  return { txid: hashOf(signedTransaction.getId()), bytes: hexOf(signedTransaction.toBuffer()) }
}

const utxosOf = (address: BitcoinAddress) => onChain((chain) => chain.utxosOf(address))
const broadcast = (bytes: HexBytes) => onChain((chain) => chain.broadcast(bytes))
const refusalOf = (bytes: HexBytes) => onChain((chain) => Effect.flip(chain.broadcast(bytes)))
const transactionOf = (txid: Utxo["txid"]) => onChain((chain) => chain.findTransaction(txid))

/**
 * Creates more than one page of payments to a wallet, a block whose reward the wallet receives, and an unconfirmed
 * payment of the wallet.
 */
const makeFixture = async () => {
  const ownKey = keyOf("P2WPKH")
  const [large, small] = [...(await utxosOf(ownKey.address))].sort((a, b) => Number(b.value - a.value))
  const txids = [large!.txid]
  for (let index = 0; index < 27; index += 1) {
    const { txid } = await sandbox.control({ address: ownKey.address, satoshis: 10_000 + index })
    txids.push(hashOf(txid!))
    await sandbox.control({ mine: 1 })
  }
  const { height } = await sandbox.control({ mine: 1, address: ownKey.address })
  const tip = (await onChain((chain) => chain.blockHash(height)))!
  txids.push((await onChain((chain) => chain.block(tip))).transactions[0]!.txid)
  const waitingPayment = await makePayment(ownKey, large!, 40_000_000n, 2_000n)
  await broadcast(waitingPayment.bytes)
  txids.push(waitingPayment.txid)
  const transactions: Array<BitcoinTransaction> = []
  for (const txid of txids.reverse()) transactions.push((await transactionOf(txid))!)

  const script = addressToScript(ownKey.address)
  const utxos = transactions.flatMap(({ block, isCoinbase, outputs, txid }) =>
    outputs.flatMap(({ script: paidTo, value }, vout): ReadonlyArray<Utxo> => {
      const isSpent = txid === large!.txid && vout === large!.vout
      const blockReference = block === null ? null : { hash: block.hash, height: block.height }
      return paidTo === script && !isSpent ? [{ txid, vout, value, script, isCoinbase, block: blockReference }] : []
    })
  )
  const confirmedBalance = utxos.reduce((sum, { block, value }) => (block === null ? sum : sum + value), large!.value)
  const [minedTransaction] = (await onChain((chain) => chain.transactionsOf(ownKey.address, null))).slice(2)
  return {
    height,
    balances: new Map([[ownKey.address, { confirmed: confirmedBalance, unconfirmed: -40_002_000n }]]),
    history: { address: ownKey.address, transactions, utxos },
    broadcast: {
      validPayment: await makePayment(ownKey, small!, 1_000_000n, 2_000n),
      minedBytes: (await onChain((chain) => chain.findTransactionBytes(minedTransaction!.txid)))!,
      conflictingBytes: (await makePayment(ownKey, large!, 30_000_000n, 2_000n)).bytes,
      tooCheap: (await makePayment(ownKey, small!, 2_000_000n, 10n)).bytes
    }
  }
}

const fixture = await makeFixture()
bitcoinChainContract("the sandbox", EsploraChain.layer({ urls: [await sandbox.ownUrl()], timeoutMs: 60_000 }), fixture)

describe("The sandbox's Bitcoin chain", () => {
  it("accepts a payment during a reorg, and mines it once", async () => {
    const ownKey = keyOf("P2WPKH")
    for (let round = 0; round < 8; round++) {
      const { txid: funding } = await sandbox.control({ address: ownKey.address, satoshis: 500_000 })
      await sandbox.control({ mine: 3 })
      const utxo = (await utxosOf(ownKey.address)).find(({ txid }) => txid === hashOf(funding!))!
      const { bytes, txid } = await makePayment(ownKey, utxo, 70_000n, 1_000n)
      // The spent UTXO remains confirmed, because the reorg replaces only two of the three blocks.
      await Promise.all([sandbox.control({ reorg: 2 }), broadcast(bytes)])
      await sandbox.control({ mine: 1 })
      assert.isNotNull((await transactionOf(txid))!.block)
    }
  })

  it.each(["P2PKH", "P2SH_P2WPKH", "P2TR"] as const)("accepts payments of %s", async (kind) => {
    const [utxo] = await utxosOf(keyOf(kind).address)
    const { bytes, txid } = await makePayment(keyOf(kind), utxo!, 70_000n, 1_000n)
    await broadcast(bytes)
    assert.isNull((await transactionOf(txid))!.block)
    await sandbox.control({ mine: 1 })
    assert.isNotNull((await transactionOf(txid))!.block)
  })

  it("rejects an invalid taproot signature, which bcoin itself would accept", async () => {
    const taproot = keyOf("P2TR")
    const [utxo] = await utxosOf(taproot.address)
    const { bytes } = await makePayment(taproot, utxo!, 70_000n, 1_000n)
    // Changes one digit of the signature. The witness precedes the lock time, which is the last four bytes.
    const wrongBytes = `${bytes.slice(0, -20)}${bytes.at(-20) === "0" ? "1" : "0"}${bytes.slice(-19)}` as HexBytes
    const refusal = await refusalOf(wrongBytes)
    assert.strictEqual("kind" in refusal && refusal.kind, "INVALID")
    assert.match(refusal.message, /taproot|script-verify/u)
  })

  it("replaces a transaction by one with a sufficiently higher fee", async () => {
    const ownKey = keyOf("P2PKH")
    const [utxo] = await utxosOf(ownKey.address)
    const firstPayment = await makePayment(ownKey, utxo!, 80_000n, 1_000n)
    const replacement = await makePayment(ownKey, utxo!, 80_000n, 3_000n)
    await broadcast(firstPayment.bytes)
    const lowFeeRefusal = await refusalOf((await makePayment(ownKey, utxo!, 90_000n, 1_100n)).bytes)
    assert.strictEqual("kind" in lowFeeRefusal && lowFeeRefusal.kind, "TAKEN")
    assert.isNull((await transactionOf(firstPayment.txid))!.block)
    await broadcast(replacement.bytes)
    assert.isNull(await transactionOf(firstPayment.txid))
    assert.isNull((await transactionOf(replacement.txid))!.block)
  })

  it("returns the transactions of replaced blocks to the mempool", async () => {
    const { txid } = await sandbox.control({ address: OTHER, satoshis: 12_345 })
    const { height } = await sandbox.control({ mine: 1 })
    assert.strictEqual((await transactionOf(hashOf(txid!)))!.block?.height, height)
    const stateAfter = await sandbox.control({ reorg: 2 })
    assert.strictEqual(stateAfter.height, height + 1)
    assert.isNull((await transactionOf(hashOf(txid!)))!.block)
    await sandbox.control({ mine: 1 })
    assert.strictEqual((await transactionOf(hashOf(txid!)))!.block?.height, height + 2)
  })

  it("replaces blocks while unconfirmed payments spend their outputs", async () => {
    const ownKey = keyOf("P2WPKH")
    const { txid: parent } = await sandbox.control({ address: ownKey.address, satoshis: 900_000 })
    await sandbox.control({ mine: 1 })
    const utxo = (await utxosOf(ownKey.address)).find(({ txid }) => txid === hashOf(parent!))!
    const child = await makePayment(ownKey, utxo, 300_000n, 1_000n)
    await broadcast(child.bytes)
    await sandbox.control({ reorg: 1 })
    for (const txid of [utxo.txid, child.txid]) assert.isNull((await transactionOf(txid))!.block)
    await sandbox.control({ mine: 1 })
    for (const txid of [utxo.txid, child.txid]) assert.isNotNull((await transactionOf(txid))!.block)
  })

  it("reports the fees that were set", async () => {
    await sandbox.control({ satoshisPerVbyte: 40 })
    const rates = await onChain(({ feeRates }) => feeRates)
    assert.strictEqual(rates.get(2), 40_000n)
    assert.isBelow(Number(rates.get(144)), 40_000)
  })

  it("serves a page for each transaction without starting a chain", async () => {
    const { txid } = await sandbox.control({ address: OTHER, satoshis: 12_345 })
    const waitingPage = await bitcoinPageOrNull(sandbox, `/explorer/bitcoin/tx/${txid}`)
    assert.strictEqual(waitingPage?.status, 200)
    for (const text of [txid!, OTHER, "0.00012345 BTC", "none yet", "sat/vB"]) assert.include(waitingPage!.body, text)
    const { height } = await sandbox.control({ mine: 1 })
    assert.include((await bitcoinPageOrNull(sandbox, `/explorer/bitcoin/tx/${txid}`))!.body, `<td>${height}</td>`)
    assert.strictEqual((await bitcoinPageOrNull(sandbox, `/explorer/bitcoin/tx/${"00".repeat(32)}`))?.status, 404)
    assert.strictEqual((await bitcoinPageOrNull(sandbox, "/explorer/bitcoin/tx/0x00"))?.status, 400)
    assert.isNull(await bitcoinPageOrNull(sandbox, "/chains/1/tx/0x00"))
    const stoppedBitcoin = new SandboxBitcoin(home, new SandboxClock(home), NEVER_MS)
    assert.strictEqual((await bitcoinPageOrNull(stoppedBitcoin, `/explorer/bitcoin/tx/${txid}`))?.status, 503)
    assert.isFalse(stoppedBitcoin.isRunning)
  })

  it("keeps its blocks and unconfirmed transactions after a restart", async () => {
    const { height, txid } = await sandbox.control({ address: OTHER, satoshis: 4_242 })
    const tip = await onChain((chain) => chain.tip)
    await sandbox.close()
    assert.deepStrictEqual(await onChain((chain) => chain.tip), tip)
    assert.strictEqual(tip.height, height)
    assert.isNull((await transactionOf(hashOf(txid!)))!.block)
  })

  it("rejects invalid requests", async () => {
    const refusal = sandbox.control({ reorg: 1_000 }).catch((cause: Error) => cause.message)
    assert.match(String(await refusal), /^A reorg can replace 1 to \d+ blocks\.$/u)
  })
})
