/**
 * Values for the examples of endpoints. Every sandbox has these tokens on Ethereum and these wallets. The private keys
 * of the wallets are publicly known.
 */
export const SESSION = "kyc_0f8fad5bd9cb469fa16570867728950e"
export const PERSON = {
  firstName: "Ana",
  lastName: "Souza",
  documentId: "FX123456",
  documentCategory: "PASSPORT",
  documentCountry: "BRAZIL",
  birthDate: "1990-12-31",
  nationality: "BRAZILIAN",
  address: "Rua das Flores 12",
  city: "Curitiba",
  state: "PR",
  postalCode: "80010-000"
}
export const WALLET = "0x4430db0f80cd90ab544382d5add6a6f41c903731"
export const OWNER = "0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc"
export const FACTORY = "0x91e60e0613810449d098b0b5ec8b51a0fe8c8985"
export const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
export const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
export const BITCOIN_ADDRESS = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"
export const POOL = "1-0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640"
export const RECEIVER = "0x00000000000000000000000000000000000000a1"

/**
 * Placeholders for values that only exist at run time. An endpoint's `links` refer to the response that contains the
 * value, and a sandbox replaces the placeholders with its own values.
 */
export const HASH = `0x${"11".repeat(32)}`
export const SIGNATURE = `0x${"22".repeat(65)}`
/** The shortest possible Bitcoin transaction. A real transaction must match its quote. */
export const SIGNED_TRANSACTION = `0x02000000${"00".repeat(6)}`
export const POSITION = "1"
export const UUID = "6c1b6a0e-0f53-4c0e-a2a5-6a4b5a7c6f0d"

export const INDIVIDUAL = "individual-2"
export const PIX = { type: "PIX" }

export const gas = { gasFeePaymentMethod: "ADD_TO_AMOUNT", payGasFeeToken: USDC }
