/** The script types whose outputs a single key can spend. */
export type SpendableKind = "P2PKH" | "P2SH_P2WPKH" | "P2WPKH" | "P2TR"

/**
 * Maximum weight units (BIP-141) of a signed input. DER signatures with low S have at most 72 bytes including the
 * sighash byte. Public keys are compressed. Schnorr signatures have at most 65 bytes, because some hardware signers
 * write an explicit SIGHASH_ALL (BIP-341).
 */
const INPUT_WEIGHT: Readonly<Record<SpendableKind, number>> = { P2PKH: 592, P2SH_P2WPKH: 364, P2WPKH: 272, P2TR: 231 }

const compactSizeBytes = (count: number): number => (count < 253 ? 1 : count < 65_536 ? 3 : 5)

/** Returns the weight of an output with this number of script bytes. */
export const outputWeight = (scriptBytes: number): number => 4 * (8 + compactSizeBytes(scriptBytes) + scriptBytes)

/** Returns the maximum weight of the input that spends a UTXO of this type. */
export const inputWeight = (kind: SpendableKind): number => INPUT_WEIGHT[kind]

/** Returns the maximum weight of a transaction whose inputs all have one type. */
export const transactionWeight = (
  kind: SpendableKind,
  inputCount: number,
  outputScripts: ReadonlyArray<{ readonly bytes: number }>
): number => {
  const marker = kind === "P2PKH" ? 0 : 2
  const overheadWeight = 4 * (4 + 4 + compactSizeBytes(inputCount) + compactSizeBytes(outputScripts.length)) + marker
  return outputScripts.reduce(
    (sum, { bytes }) => sum + outputWeight(bytes),
    overheadWeight + inputCount * inputWeight(kind)
  )
}

/** Returns the virtual bytes (BIP-141) of a weight. Rounded up, as in nodes. */
export const virtualBytes = (weight: number): number => Math.ceil(weight / 4)

/** Satoshis per 1,000 virtual bytes, so that integers represent all rates with up to three decimals in sat/vB. */
export type FeeRate = bigint

/**
 * Returns the fee for a part of a transaction with this weight. Rounded up, because a lower fee would delay the
 * confirmation.
 */
export const partFeeRoundingUp = (weight: number, rate: FeeRate): bigint => (BigInt(weight) * rate + 3_999n) / 4_000n

/** Returns the fee of a complete transaction. Rounded up, so that the rate is never below the requested one. */
export const feeRoundingUp = (weight: number, rate: FeeRate): bigint =>
  (BigInt(virtualBytes(weight)) * rate + 999n) / 1_000n
