import { networks, Psbt, payments } from "bitcoinjs-lib"

/** A Bitcoin payment from LI.FI, split into the parts that a test can change. */
export interface LiFiPayment {
  readonly to: string
  readonly version: number
  readonly lockTime: number
  readonly inputs: ReadonlyArray<{
    readonly txid: string
    readonly vout: number
    readonly sequence: number
    readonly script: Uint8Array
    readonly value: bigint
    readonly sighashType?: number
  }>
  readonly outputs: ReadonlyArray<{ readonly script: Uint8Array; readonly value: bigint }>
}

interface PaymentRequest {
  readonly to: string
  readonly data: string
  readonly value: string
}

const network = networks.bitcoin

export const opReturnScriptOf = (memo: string): Uint8Array =>
  payments.embed({ data: [Uint8Array.from(Buffer.from(memo, "utf8"))] }).output!

const psbtOf = ({ inputs, lockTime, outputs, version }: LiFiPayment): string => {
  const psbt = new Psbt({ network })
  psbt.setVersion(version)
  psbt.setLocktime(lockTime)
  for (const { script, sequence, sighashType, txid, value, vout } of inputs) {
    psbt.addInput({
      hash: txid.replace(/^0x/u, ""),
      index: vout,
      sequence,
      witnessUtxo: { script, value },
      ...(sighashType === undefined ? {} : { sighashType })
    })
  }
  for (const output of outputs) psbt.addOutput(output)
  return psbt.toHex()
}

const paymentOf = ({ data, to }: PaymentRequest): LiFiPayment => {
  const psbt = Psbt.fromHex(data, { network })
  return {
    to,
    version: psbt.version,
    lockTime: psbt.locktime,
    inputs: psbt.txInputs.map(({ hash, index, sequence }, inputIndex) => ({
      txid: Buffer.from(hash).reverse().toString("hex"),
      vout: index,
      sequence: sequence!,
      ...psbt.data.inputs[inputIndex]!.witnessUtxo!
    })),
    outputs: psbt.txOutputs.map(({ script, value }) => ({ script, value }))
  }
}

/** Replaces the payment in a LI.FI response. */
export const withPayment = (body: unknown, change: (payment: LiFiPayment) => LiFiPayment): object => {
  const response = body as { readonly transactionRequest: PaymentRequest }
  const changedPayment = change(paymentOf(response.transactionRequest))
  return {
    ...response,
    transactionRequest: { ...response.transactionRequest, to: changedPayment.to, data: psbtOf(changedPayment) }
  }
}
