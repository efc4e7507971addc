export { addressOrNull } from "./addressOrNull.ts"
export { databaseUrlOrNull } from "./databaseUrl.ts"
export {
  type DeclaredSetting,
  declaredSettings,
  PER_CHAIN,
  type SettingGroup,
  settingGroups
} from "./declaredSettings.ts"
export { decimal, type Range, wholeNumber, wholeNumberOrNull } from "./numberSettings.ts"
export { isPrivateKey, privateKeyOrNull } from "./privateKeyOrNull.ts"
export { SettingInvalid } from "./SettingInvalid.ts"
export { isOn, originListOrNull, urlListOrNull, urlOrNull } from "./textSettings.ts"
export { type UnknownSetting, unknownSettings } from "./unknownSettings.ts"
