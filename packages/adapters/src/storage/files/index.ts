export {
  ensurePrivateFile,
  ensurePrivateFolder,
  FolderNotWritable,
  makePrivateFolder,
  PRIVATE_FILE_MODE,
  restrictPrivateFile as closePrivateFile
} from "./privateFiles.ts"
