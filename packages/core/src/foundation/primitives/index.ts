export { baseUnitsOrNone, DecimalString, decimalFromBaseUnits, MAX_UINT256 } from "./Amount.ts"
export {
  AddressChecksum,
  AddressText,
  BitcoinAddressCheck,
  Hash32Text,
  HexBytesText,
  WalletAddress,
  WalletAddressText
} from "./addressText.ts"
export { assume, withAssumptions, withoutAssumptions } from "./assumptions.ts"
export { BoundedMap } from "./BoundedMap.ts"
export { isCbuOrCvu, isClabe, isCnpj, isCpf, isRoutingNumber } from "./checkDigits.ts"
export { coalesce } from "./coalesce.ts"
export { type Cell, csv, csvLines, numberCell, textCell } from "./csv.ts"
export { Entropy } from "./Entropy.ts"
export { maxBigInt, minBigInt } from "./extremes.ts"
export {
  Address,
  BitcoinAddress,
  Hash32,
  HexBytes,
  hashFromBytes,
  hexDigits,
  isEvmAddress,
  isNativeToken,
  NATIVE_TOKEN,
  ZERO_ADDRESS
} from "./Hex.ts"
export { type JsonText, jsonText } from "./jsonText.ts"
export { Metadata, metadataField } from "./Metadata.ts"
export {
  mulDivRoundingDown,
  mulDivRoundingUp,
  percentFromRatio,
  percentText,
  proportionalAmounts,
  type Ratio,
  ratioFromPercent,
  shareRoundingDown
} from "./Ratio.ts"
export { withDefault, withDescription } from "./schemaDescriptions.ts"
export { UnitOfWork } from "./UnitOfWork.ts"
