/** Words that no name may be in JavaScript, Dart, Java, Kotlin, Python or Go, in small letters. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  `abstract and any arguments as assert async await base bool boolean break byte case catch chan char class
  const continue covariant debugger def default defer deferred del do double dynamic elif else enum eval except
  exec export extends extension external factory fallthrough false final finally float for from fun func function
  get global go goto hide if implements import in instanceof int interface internal is lambda late library long
  map mixin module native new nil none nonlocal not null object of on open operator or override package part pass
  print private protected public raise range rethrow return required sealed select self set short show static
  strictfp struct super switch sync synchronized this throw throws transient true try typealias typeof val var
  void volatile when while with yield`.split(/\s+/),
);
