import type { SignData } from "@countersign/core/signing"

type OfAccount = Omit<SignData, "psbt"> & {
  readonly type: Exclude<SignData["type"], "BITCOIN_TRANSACTION">
  readonly method: Exclude<SignData["method"], "sign_psbt">
}

const isOfAccount = (signDatum: SignData): signDatum is SignData & OfAccount =>
  signDatum.type !== "BITCOIN_TRANSACTION" && signDatum.method !== "sign_psbt"

/** What the owner of an account signs. What a Bitcoin wallet signs is not in the API yet. */
export const signDataBody = (signData: ReadonlyArray<SignData>): ReadonlyArray<OfAccount> =>
  signData.filter(isOfAccount)
