import type { FiatCode } from "@countersign/core/foundation/tokens"

const E18 = 10n ** 18n

/**
 * Units of a currency per US dollar, in millionths. Rounded from market rates of autumn 2026, and only for the sandbox.
 */
const perUsdMillionths: Readonly<Partial<Record<FiatCode, bigint>>> = {
  usd: 1_000_000n,
  aed: 3_672_500n,
  ars: 1_450_000_000n,
  aud: 1_520_000n,
  bdt: 122_000_000n,
  bhd: 376_000n,
  bmd: 1_000_000n,
  brl: 5_400_000n,
  cad: 1_400_000n,
  chf: 800_000n,
  clp: 940_000_000n,
  cny: 7_120_000n,
  czk: 21_000_000n,
  dkk: 6_450_000n,
  eur: 865_000n,
  gbp: 760_000n,
  gel: 2_710_000n,
  hkd: 7_780_000n,
  huf: 335_000_000n,
  idr: 16_650_000_000n,
  ils: 3_280_000n,
  inr: 88_500_000n,
  jpy: 154_000_000n,
  krw: 1_450_000_000n,
  kwd: 307_000n,
  lkr: 305_000_000n,
  mmk: 2_100_000_000n,
  mxn: 18_500_000n,
  myr: 4_150_000n,
  ngn: 1_440_000_000n,
  nok: 10_100_000n,
  nzd: 1_770_000n,
  php: 58_800_000n,
  pkr: 281_000_000n,
  pln: 3_670_000n,
  rub: 81_000_000n,
  sar: 3_750_000n,
  sek: 9_500_000n,
  sgd: 1_300_000n,
  thb: 32_400_000n,
  try: 42_200_000n,
  twd: 31_000_000n,
  uah: 42_000_000n,
  vef: 99_360n,
  vnd: 26_300_000_000n,
  zar: 17_300_000n,
  xdr: 735_000n
}

/** US dollars per unit, in millionths, for codes that are not national currencies. */
const usdMillionthsPerUnit: Readonly<Partial<Record<FiatCode, bigint>>> = {
  btc: 95_000_000_000n,
  eth: 3_000_000_000n,
  ltc: 95_000_000n,
  bch: 500_000_000n,
  bnb: 600_000_000n,
  xrp: 2_000_000n,
  link: 20_000_000n,
  dot: 3_000_000n,
  yfi: 4_500_000_000n,
  xag: 50_000_000n,
  xau: 4_000_000_000n,
  eos: 250_000n,
  xlm: 250_000n,
  bits: 95_000n,
  sats: 950n
}

/** Exchange rates of the sandbox. They are a fixed table, because the sandbox works without a network. */
export const sandboxFiatRates: ReadonlyMap<FiatCode, bigint> = new Map<FiatCode, bigint>([
  ...Object.entries(perUsdMillionths).map(([code, rate]) => [code as FiatCode, (rate * E18) / 1_000_000n] as const),
  ...Object.entries(usdMillionthsPerUnit).map(([code, usd]) => [code as FiatCode, (1_000_000n * E18) / usd] as const)
])
