/** Every text the service says, in Russian: the keys are the catalogue that `uz` and `oz` must fill. */
export const ru = {
  success: 'Успешно',

  'auth.wrong_pair': 'Неверный логин или пароль.',
  'auth.unauthenticated': 'Требуется вход в систему.',
  'auth.forbidden': 'Недостаточно прав для этой операции.',
  'auth.company_inactive': 'Компания отключена: доступны только просмотр, оплата и профиль.',
  'auth.impersonation_refused': 'Войти можно только от имени директора или сотрудника компании или партнёра.',

  'http.not_found': 'Не найдено.',
  'http.method_not_allowed': 'Метод не поддерживается для этого адреса.',
  'http.too_large': 'Запрос слишком велик.',
  'http.unsupported_media': 'Тип содержимого не поддерживается: отправьте JSON или multipart/form-data.',
  'http.malformed_body': 'Тело запроса повреждено, его не удалось прочитать.',
  'http.too_many': 'Слишком много попыток. Повторите через {seconds} с.',
  'http.conflict': 'Данные только что изменились. Повторите запрос.',
  'http.internal': 'Внутренняя ошибка. Сообщите номер запроса в поддержку.',
  'http.unavailable': 'Сервис временно недоступен. Повторите попытку позже.',

  'idempotency.running': 'Первый запрос с этим ключом ещё выполняется.',
  'idempotency.other_request': 'Этот ключ уже использован для другого запроса.',

  'validation.required': 'Обязательное поле.',
  'validation.string': 'Значение должно быть строкой.',
  'validation.number': 'Значение должно быть числом.',
  'validation.integer': 'Значение должно быть целым числом.',
  'validation.boolean': 'Значение должно быть логическим.',
  'validation.array': 'Значение должно быть списком.',
  'validation.object': 'Значение должно быть объектом.',
  'validation.invalid': 'Недопустимое значение.',
  'validation.date': 'Дата должна быть в формате ГГГГ-ММ-ДД.',
  'validation.phone': 'Телефон должен быть в формате 998xxyyyzzzz.',
  'validation.option': 'Допустимые значения: {values}.',
  'validation.unknown': 'Неизвестный параметр.',
  'validation.format': 'Неверный формат.',
  'validation.min_text': 'Не короче {min} символов.',
  'validation.max_text': 'Не длиннее {max} символов.',
  'validation.min_number': 'Не меньше {min}.',
  'validation.above_number': 'Должно быть больше {min}.',
  'validation.max_number': 'Не больше {max}.',
  'validation.below_number': 'Должно быть меньше {max}.',
  'validation.step': 'Должно быть кратно {step}.',
  'validation.two_decimals': 'Не больше двух знаков после запятой.',
  'validation.four_decimals': 'Не больше четырёх знаков после запятой.',
  'validation.eight_decimals': 'Не больше восьми знаков после запятой.',
  'validation.min_items': 'Не меньше {min} элементов.',
  'validation.max_items': 'Не больше {max} элементов.',
  'validation.duplicate': 'Значения не должны повторяться.',
  'validation.taken': 'Такое значение уже занято.',
  'validation.exists': 'Выбранная запись не найдена.',
  'validation.name_letters': 'Только буквы, пробелы и дефис.',
  'validation.json_array': 'Значение должно быть строкой с JSON-массивом.',

  'user.username': 'Только латинские буквы, цифры и символы . _ @ + -',
  'user.password_length': 'Пароль должен содержать от 8 до 255 символов.',
  'user.password_strength': 'Пароль должен содержать хотя бы одну букву и одну цифру.',
  'user.password_is_username': 'Пароль не должен совпадать с логином.',
  'user.password_confirmation': 'Подтверждение не совпадает с паролем.',
  'user.role_kind': 'Роль должна соответствовать типу пользователя.',
  'user.role_fixed': 'Роль этого пользователя изменить нельзя.',
  'user.protected': 'Этого пользователя удалить нельзя.',

  'company.parent_fixed': 'Главную компанию филиала изменить нельзя.',
  'company.parent_is_branch': 'Филиал не может быть главной компанией.',
  'role.route': 'Право должно начинаться с раздела роли: {area}.',
  'role.not_held': 'Нельзя дать право, которого нет у вас.',
  'role.type_fixed': 'Тип роли изменить нельзя.',
  'role.super': 'Только главный администратор может это сделать.',

  'brand.import_header': 'Название бренда',

  'cashbox.not_empty': 'Кассу, в которой есть деньги, удалить нельзя.',
  'cashbox.main_name': 'Главная касса №{company}',
  'category.in_use': 'Категорию с подкатегориями или товарами удалить нельзя.',
  'product.has_variants': 'У карточки есть варианты: она не может стать вариантом другой.',

  'rate.uzs_fixed': 'Курс сума всегда равен 1.',
  'rate.sale_currency_zero': 'Курс валюты продаж не может быть нулём.',
  'rate.none': 'У компании нет курса этой валюты.',

  'file.required': 'Нужно приложить файл.',
  'file.too_large': 'Файл не должен превышать {max} КБ.',
  'file.not_image': 'Файл должен быть изображением jpg или png.',
  'file.image_dimensions': 'Изображение не должно превышать {width}x{height} пикселей.',
  'file.not_workbook': 'Файл должен быть книгой Excel (xlsx).',
  'file.too_many_rows': 'В файле не должно быть больше {max} строк.',
} as const;

export type MessageKey = keyof typeof ru;

/** A language's texts: one for every key. */
export type Messages = Readonly<Record<MessageKey, string>>;
