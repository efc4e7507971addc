export { closePrivateFile, ensurePrivateFile, ensurePrivateFolder, PRIVATE_FILE_MODE } from "./privateFiles.ts"
